import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { DeliveryWorker } from '../../src/core/deliveries/delivery-worker.js';
import type { DeliveryTask, TaskResult } from '../../src/core/deliveries/task.js';
import { taskKeys } from '../../src/core/deliveries/task-result.js';
import type { NewMessage } from '../../src/core/messages/ports.js';
import type { MessageRecord } from '../../src/core/messages/record.js';
import { Rates } from '../../src/core/rates/rates.js';
import { PostgresDeliveries } from '../../src/store/deliveries/deliveries.js';
import { PostgresWakeUps } from '../../src/store/deliveries/wake-ups.js';
import { PostgresInbound } from '../../src/store/inbound/inbound.js';
import { PostgresMessages } from '../../src/store/messages/messages.js';
import { PostgresRateBuckets } from '../../src/store/rates/rate-buckets.js';
import { recordingLog } from './log.js';
import { makeConnection, makeMember, recordEvents, values } from './people.js';
import { ScriptedPlatform } from './scripted-platform.js';

/** A workspace with a member and any number of connections, over a real database. */
export async function bridgeStage(pool: Pool) {
  const world = { workspaceId: uuidv7(), memberId: uuidv7(), connectionId: '' };
  await pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Bridge')`, [world.workspaceId]);
  await recordEvents(pool, world.workspaceId);
  await makeMember(pool, world.workspaceId, `member_${uuidv7().slice(-8)}`, world.memberId);
  const messages = new PostgresMessages(pool);
  const inbound = new PostgresInbound(pool);
  const deliveries = new PostgresDeliveries(pool);
  return {
    ...world,
    pool,
    messages,
    inbound,
    deliveries,
    scope: { workspaceId: world.workspaceId },

    async connection(platform: string, settings: object = {}): Promise<string> {
      const id = await makeConnection(pool, world, platform);
      await pool.query('UPDATE connections SET settings = $2 WHERE id = $1', [
        id,
        JSON.stringify({ unlinked_chats: 'create', uncertain_policy: 'hold', ...settings }),
      ]);
      return id;
    },

    /** A group conversation; `link` adds links. */
    async conversation(type = 'group'): Promise<string> {
      const id = uuidv7();
      await pool.query(`SELECT create_conversation($1, $2, $3, NULL, $4, '{}', '{}')`, [
        world.workspaceId,
        id,
        type,
        world.memberId,
      ]);
      return id;
    },

    async link(conversation: string, connection: string, chat: string, more: object = {}): Promise<string> {
      const id = uuidv7();
      const link = { id, connection_id: connection, external_id: chat, ...more };
      await pool.query('SELECT add_link(c, $2) FROM conversations c WHERE id = $1', [
        conversation,
        JSON.stringify(link),
      ]);
      return id;
    },

    send(conversation: string, text: string, more: Partial<NewMessage> = {}): Promise<MessageRecord> {
      return messages.accept({
        id: uuidv7(),
        workspace_id: world.workspaceId,
        conversation_id: conversation,
        sender_id: world.memberId,
        text,
        ...more,
      });
    },

    async message(id: string): Promise<MessageRecord> {
      const [record] = await values<MessageRecord>(
        pool,
        'SELECT message_record(m) FROM messages m WHERE id = $1',
        [id],
      );
      if (record === undefined) throw new Error(`There is no message ${id}.`);
      return record;
    },

    /** The delivery of a message to its first link. */
    async delivery(messageId: string) {
      const [delivery] = (await this.message(messageId)).deliveries;
      if (delivery === undefined) throw new Error(`The message ${messageId} goes to no platform.`);
      return delivery;
    },

    /** Another chat of the same connection, with a message in it. */
    async elsewhere(connection: string, text: string): Promise<void> {
      const other = await this.conversation();
      await this.link(other, connection, `chat of ${text}`);
      await this.send(other, text);
    },

    /** Posts a message of a person on a platform. Returns the store's result with the whole message. */
    async post(connection: string, chat: string, text: string, more: InboundMessage = {}) {
      const { messageId = uuidv7(), sender = 'ann', kind = 'group', dedupeKey = messageId, ...event } = more;
      const { stored, message } = await inbound.receive(
        connection,
        { dedupeKey, lane: chat, payload: { text } },
        [inboundMessage({ chat, text, messageId, sender, kind, ...event })],
        'processed',
      );
      return { stored, message: message === null ? null : await this.message(message.id) };
    },

    /** Reports any other event of a platform. */
    async report(connection: string, event: object): Promise<void> {
      const envelope = { dedupeKey: uuidv7(), lane: 'x', payload: null };
      await inbound.receive(connection, envelope, [{ at: NOW, ...event } as never], 'processed');
    },

    /** Claims the one task that is due. */
    async claimOne(connection: string): Promise<DeliveryTask> {
      const tasks = await deliveries.claim(connection, 1);
      if (tasks[0] === undefined) throw new Error('Nothing is due.');
      return tasks[0];
    },

    async events(subject: string): Promise<string[]> {
      return values<string>(
        pool,
        `SELECT type FROM events WHERE data->>'id' = $1 OR data->>'message_id' = $1 ORDER BY position`,
        [subject],
      );
    },

    /** Makes everything due that waits. */
    async makeDue(): Promise<void> {
      await pool.query(
        // Stored times are rounded to milliseconds, also upwards.
        `UPDATE deliveries SET next_attempt_at = now() - interval '1 ms' WHERE workspace_id = $1 AND next_attempt_at IS NOT NULL`,
        [world.workspaceId],
      );
      const past = `now() - interval '1 ms'`;
      await pool.query(`UPDATE links SET held_until = ${past} WHERE workspace_id = $1`, [world.workspaceId]);
      await pool.query(
        `UPDATE rate_buckets SET held_until = ${past}, taken = '{}', next_at = ${past} WHERE workspace_id = $1`,
        [world.workspaceId],
      );
    },

    /** The complete delivery loop over this database, with scripted platforms. */
    deliverer(platform = new ScriptedPlatform()) {
      const rates = new Rates(new PostgresRateBuckets(pool));
      const log = recordingLog();
      const deliver = new DeliveryWorker(deliveries, platform, new PostgresWakeUps(pool), rates, log);
      const stop = new AbortController();
      const run = (connection: string, signal = stop.signal) => deliver.run(connection, signal);
      return { platform, deliver, rates, log, stop, run };
    },
  };
}

export type BridgeStage = Awaited<ReturnType<typeof bridgeStage>>;

export const NOW = '2026-01-01T00:00:00.000Z';

export interface InboundMessage {
  readonly messageId?: string;
  readonly dedupeKey?: string;
  readonly sender?: string;
  readonly kind?: 'direct' | 'group';
  readonly replyToId?: string;
  readonly echo?: boolean;
  readonly threadId?: string;
  readonly threadIsChat?: boolean;
}

function inboundMessage(e: InboundMessage & { readonly chat: string; readonly text: string }): never {
  const { chat, text, sender, kind, threadId, threadIsChat, ...rest } = e;
  return {
    type: 'message',
    at: NOW,
    chat: {
      id: chat,
      kind,
      ...(threadId === undefined ? {} : { threadId }),
      ...(threadIsChat === undefined ? {} : { threadIsChat }),
    },
    sender: { id: sender, displayName: sender },
    content: { text, spans: [], attachments: [] },
    ...rest,
  } as never;
}

/** The result of a task that the platform accepted, with one part. */
export function sent(task: DeliveryTask, externalId = `x-${task.delivery_id}`): TaskResult {
  return {
    ...taskKeys(task),
    outcome: 'sent',
    error: null,
    parts: [{ index: 0, kind: 'text', status: 'sent', external_id: externalId }],
    move: { from: ['sending'], to: 'sent', revision: task.message.revision, error: null },
    change: null,
  };
}

/** The result of a send that failed. */
export function ended(
  task: DeliveryTask,
  to: 'queued' | 'uncertain' | 'failed',
  more: object = {},
): TaskResult {
  const error = { code: 'network' as const, message: 'Lost.', permanent: false, platform_code: null };
  return {
    ...sent(task),
    outcome: to === 'queued' ? 'retry' : to,
    error,
    parts: [],
    move: { from: ['sending'], to, error, ...more },
  };
}
