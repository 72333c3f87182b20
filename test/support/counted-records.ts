import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import type { localMeasures } from '../../src/core/analytics/local-record.js';
import type { BridgeStage } from './bridge.js';

/** Random records near changes of clocks, and what each adds to the counts of analytics. */

export type Resource = keyof typeof localMeasures;
export type Values = Record<string, number>;
/** The contribution of one record to the counts. */
export interface Counted {
  readonly resource: Resource;
  readonly at: number;
  readonly platform: string | null;
  readonly status: string;
  readonly agent: string | null;
  readonly values: Values;
}

/** Days on which clocks of some zones change. Chatham is offset by 45 minutes, and Lord Howe changes by 30 minutes. */
export const CHANGES = ['2025-10-26', '2026-03-29', '2026-03-08', '2025-11-02', '2026-04-05', '2025-10-05'];

const time = fc
  .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -40 * 3_600, max: 64 * 3_600 }))
  .map(([date, seconds]) => Date.parse(date) + seconds * 1_000);
const wait = fc.integer({ min: 0, max: 3 * 86_400 });

/** A single message, in a conversation that is too old to be counted. */
const message = fc.record({
  kind: fc.constant('message' as const),
  at: time,
  direction: fc.constantFrom('inbound', 'outbound', 'internal'),
  platform: fc.constantFrom('telegram', 'sms', null),
  status: fc.constantFrom('received', 'sent', 'failed', 'blocked'),
});
const conversation = fc.record({
  kind: fc.constant('conversation' as const),
  at: time,
  isAssigned: fc.boolean(),
  response: fc.option(wait),
  closing: fc.option(wait),
});
const call = fc.record({
  kind: fc.constant('call' as const),
  at: time,
  status: fc.constantFrom('ended', 'failed'),
  duration: fc.option(fc.integer({ min: 0, max: 7_200 })),
});
const broadcast = fc.record({
  kind: fc.constant('broadcast' as const),
  at: time,
  platforms: fc.subarray(['telegram', 'sms']),
  sent: fc.nat(1_000),
  failed: fc.nat(1_000),
});
const webhookTry = fc.record({
  kind: fc.constant('webhook' as const),
  at: time,
  status: fc.constantFrom('succeeded', 'pending', 'dead'),
});
export const record = fc.oneof(message, conversation, call, broadcast, webhookTry);
export type Drawn = typeof record extends fc.Arbitrary<infer T> ? T : never;

export const iso = (at: number) => new Date(at).toISOString();
const event = (stage: BridgeStage, type: string, data: object) =>
  stage.pool.query('INSERT INTO events (workspace_id, type, data) VALUES ($1, $2, $3)', [
    stage.workspaceId,
    type,
    JSON.stringify(data),
  ]);

async function storeMessage(
  stage: BridgeStage,
  at: number,
  into: string,
  more: Record<string, unknown>,
): Promise<void> {
  const { direction, status = 'sent', platform = null } = more;
  await stage.pool.query(
    `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status,
       platform, created_at, note, broadcast_id)
     VALUES (uuid7(), $1, $2, 1, $3, 'x', $4, $5, $6, $7, $8, $9)`,
    [
      stage.workspaceId,
      into,
      stage.memberId,
      direction,
      status,
      platform,
      iso(at),
      more.note === true,
      more.broadcast === true ? uuidv7() : null,
    ],
  );
}

const messageCount = (
  stage: BridgeStage,
  at: number,
  direction: string,
  status: string,
  platform: string | null,
): Counted => ({
  resource: 'messages',
  at,
  platform,
  status,
  agent: direction === 'inbound' ? null : stage.memberId,
  values: { [direction]: 1, failed: Number(['failed', 'blocked'].includes(status)) },
});

type Of<Kind> = Extract<Drawn, { kind: Kind }>;

/** A question, messages that do not count as an answer, the answer, and the end. */
async function storeConversation(stage: BridgeStage, drawn: Of<'conversation'>): Promise<Counted[]> {
  const { at, isAssigned, response, closing } = drawn;
  const id = uuidv7();
  const assignee = isAssigned ? stage.memberId : null;
  const status = closing === null ? 'open' : 'resolved';
  const closed = closing === null ? null : iso(at + closing * 1_000);
  await stage.pool.query(
    `INSERT INTO conversations (id, workspace_id, number, type, status, assignee_id, created_by, created_at, closed_at)
     VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM conversations WHERE workspace_id = $2), 'direct', $3, $4,
       $5, $6, $7)`,
    [id, stage.workspaceId, status, assignee, stage.memberId, iso(at), closed],
  );
  const data = { id, status, platform: null, assignee_id: assignee, created_at: iso(at) };
  await event(stage, 'conversation.created', data);
  if (closing !== null) {
    await event(stage, 'conversation.status_changed', data);
    await stage.pool.query(
      `UPDATE events SET occurred_at = $2 WHERE workspace_id = $1 AND type = 'conversation.status_changed'
         AND data->>'id' = $3`,
      [stage.workspaceId, closed, id],
    );
  }
  const said: [number, string, object][] = [
    [at, 'outbound', {}],
    [at + 1_000, 'inbound', {}],
  ];
  for (const more of [{ note: true }, { broadcast: true }]) said.push([at + 1_000, 'outbound', more]);
  if (response !== null) said.push([at + 1_000 + response * 1_000, 'outbound', {}]);
  for (const [when, direction, more] of said) await storeMessage(stage, when, id, { direction, ...more });
  const shared = { resource: 'conversations', platform: null, status, agent: assignee } as const;
  return [
    {
      ...shared,
      at,
      values: {
        created: 1,
        responded: Number(response !== null),
        response_seconds: response ?? 0,
        closed: Number(closing !== null),
        resolution_seconds: closing ?? 0,
      },
    },
    ...(closing === null ? [] : [{ ...shared, at: at + closing * 1_000, values: { resolved: 1 } }]),
    ...said.map(([when, direction]) => messageCount(stage, when, direction, 'sent', null)),
  ];
}

/** Stores a generated record. Single messages go to the conversation `elsewhere`, which is not counted. */
export async function storeRecord(stage: BridgeStage, drawn: Drawn, elsewhere: string): Promise<Counted[]> {
  if (drawn.kind === 'conversation') return storeConversation(stage, drawn);
  if (drawn.kind === 'call') return storeCall(stage, drawn);
  if (drawn.kind === 'broadcast') return storeBroadcast(stage, drawn);
  if (drawn.kind === 'webhook') return storeWebhookTry(stage, drawn);
  await storeMessage(stage, drawn.at, elsewhere, drawn);
  return [messageCount(stage, drawn.at, drawn.direction, drawn.status, drawn.platform)];
}

async function storeCall(stage: BridgeStage, { at, status, duration }: Of<'call'>): Promise<Counted[]> {
  const agent = stage.memberId;
  const platform = 'webrtc';
  const times = { started_at: iso(at), answered_at: duration === null ? null : iso(at) };
  const data = { id: uuidv7(), status, duration, platform, initiator_id: agent, ...times };
  await event(stage, 'call.created', data);
  const values = {
    started: 1,
    answered: Number(duration !== null),
    failed: Number(status === 'failed'),
    duration_seconds: duration ?? 0,
  };
  return [{ resource: 'calls', at, platform, status, agent, values }];
}

const NO_RECIPIENTS = {
  pending: 0,
  delivered: 0,
  read: 0,
  uncertain: 0,
  skipped: 0,
  canceled: 0,
  expired: 0,
};

async function storeBroadcast(stage: BridgeStage, drawn: Of<'broadcast'>): Promise<Counted[]> {
  const { at, platforms, sent, failed } = drawn;
  const agent = stage.memberId;
  const total = sent + failed;
  await stage.pool.query(
    `INSERT INTO broadcasts (id, workspace_id, name, status, audience, created_by, started_at, platforms, counts)
     VALUES (uuid7(), $1, 'x', 'completed', '{}', $2, $3, $4, $5)`,
    [stage.workspaceId, agent, iso(at), platforms, { ...NO_RECIPIENTS, total, sent, failed }],
  );
  const platform = platforms.length === 1 ? (platforms[0] ?? null) : null;
  const values = { started: 1, recipients: total, sent, failed };
  return [{ resource: 'broadcasts', at, platform, status: 'completed', agent, values }];
}

/** A try is counted when it is stored, so its count is moved to the wanted hour in the same transaction. */
async function storeWebhookTry(stage: BridgeStage, { at, status }: Of<'webhook'>): Promise<Counted[]> {
  const client = await stage.pool.connect();
  const webhook = uuidv7();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO webhooks (id, workspace_id, url, events, scopes, secret, secret_hint, api_version, created_by)
     VALUES ($1, $2, 'x', '{}', '{}', '', '', '1.0', $3)`,
    [webhook, stage.workspaceId, stage.memberId],
  );
  await client.query(
    `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, next_attempt_at)
     VALUES ($1, $2, 1, uuid7(), 'x', now())`,
    [stage.workspaceId, webhook],
  );
  await client.query('UPDATE webhook_deliveries SET tries = 1, status = $2 WHERE webhook_id = $1', [
    webhook,
    status,
  ]);
  await client.query(
    `UPDATE insight_changes SET hour = utc_hour($2)
     WHERE workspace_id = $1 AND resource = 'webhooks' AND hour = utc_hour(now())`,
    [stage.workspaceId, iso(at)],
  );
  await client.query('COMMIT');
  client.release();
  const succeeded = Number(status === 'succeeded');
  const values = { attempts: 1, succeeded, failed: 1 - succeeded };
  return [{ resource: 'webhooks', at, platform: null, status, agent: null, values }];
}
