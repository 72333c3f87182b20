import { beforeEach, describe, expect, it } from 'vitest';
import type { RejectionReason } from '../../../src/contract/index.js';
import { type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';
import { problem, type ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BroadcastStage;
let alpha: string;
let platform: ScriptedPlatform;
let worker: ReturnType<BroadcastStage['deliverer']>;
let ann: string;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  alpha = await stage.connection('alpha');
  worker = stage.deliverer();
  platform = worker.platform;
  const user = await stage.users.create({
    id: crypto.randomUUID(),
    workspace_id: stage.workspaceId,
    display_name: 'Ann',
    identities: [{ platform: 'alpha', external_id: 'ann' }],
  } as never);
  ann = user.id;
});

const refuse = (reason: RejectionReason) => {
  platform.script = () => {
    throw problem({ kind: 'rejected', reason });
  };
};

/** Sends one broadcast to Ann as far as possible. */
async function send(audience: object = { user_ids: [ann] }) {
  const id = await stage.create({ audience, category: 'transactional' } as never);
  await stage.step(id, 2);
  await worker.run(alpha);
  const { counts, skip_reasons: skips } = await stage.get(id);
  return { sent: counts.sent, failed: counts.failed, skips };
}

const identity = async () => {
  const [record] = await values<{ reachable: boolean; opt_out: string[] }>(
    stage.pool,
    `SELECT to_jsonb(i) FROM identities i WHERE user_id = $1 AND platform = 'alpha'`,
    [ann],
  );
  return { reachable: record?.reachable, optOut: record?.opt_out };
};

/** A platform's report about Ann's block. */
const block = (change: 'opted_out' | 'opted_in') => ({
  type: 'consent',
  chat: { id: 'ann', kind: 'direct' },
  user: { id: 'ann', displayName: 'Ann' },
  change,
});

describe('a recipient who has blocked the account', () => {
  beforeEach(async () => {
    refuse('blocked_by_recipient');
    expect(await send()).toEqual({ sent: 0, failed: 1, skips: {} });
  });

  it('counts as opted out, is tried once, and is skipped by later broadcasts by id, by address and on other platforms', async () => {
    expect(await identity()).toEqual({ reachable: false, optOut: ['marketing', 'notification'] });
    platform.script = () => undefined;
    expect(await send()).toEqual({ sent: 0, failed: 0, skips: { opted_out: 1 } });
    const recipients = [{ platform: 'alpha', address: 'ann' }];
    expect(await send({ recipients })).toEqual({ sent: 0, failed: 0, skips: { opted_out: 1 } });
    await stage.connection('beta');
    await stage.pool.query(
      `INSERT INTO identities (workspace_id, user_id, platform, external_id) VALUES ($1, $2, 'beta', 'beta-ann')`,
      [stage.workspaceId, ann],
    );
    expect(await send()).toEqual({ sent: 0, failed: 0, skips: { opted_out: 1 } });
    expect(platform.calls).toHaveLength(1);
  });

  it('causes one event, however often the platform reports it', async () => {
    await stage.report(alpha, block('opted_out'));
    await stage.pool.query(
      `SELECT suppress_recipient(id, 'blocked_by_recipient') FROM links WHERE connection_id = $1`,
      [alpha],
    );
    expect(await eventsOf(stage.pool, stage.workspaceId, 'user.opted_out')).toMatchObject([
      {
        data: { user_id: ann, categories: ['marketing', 'notification'], source: 'platform', keyword: null },
      },
    ]);
    expect(await eventsOf(stage.pool, stage.workspaceId, 'user.updated')).toMatchObject([
      { data: { id: ann, identities: [{ platform: 'alpha', reachable: false }] } },
    ]);
  });

  it('also receives no message from an agent until they write', async () => {
    platform.script = () => undefined;
    const [chat] = await values<{ conversation_id: string; external_id: string }>(
      stage.pool,
      'SELECT to_jsonb(l) FROM links l WHERE connection_id = $1',
      [alpha],
    );
    expect(await stage.send(chat!.conversation_id, 'Hello?')).toMatchObject({
      status: 'blocked',
      error: { code: 'blocked_by_recipient' },
    });
    await stage.post(alpha, chat!.external_id, 'Here I am', { sender: 'ann', kind: 'direct' });
    expect(await stage.send(chat!.conversation_id, 'Hello!')).toMatchObject({ status: 'queued' });
    // A contact who writes is reachable. Their opt-outs remain.
    expect(await identity()).toEqual({ reachable: true, optOut: ['marketing', 'notification'] });
    expect(await send()).toMatchObject({ skips: { opted_out: 1 } });
    await stage.post(alpha, chat!.external_id, 'START', { sender: 'ann', kind: 'direct' });
    expect(await send()).toMatchObject({ failed: 0, skips: {} });
  });

  it('receives messages again after unblocking the account on the platform', async () => {
    platform.script = () => undefined;
    await stage.report(alpha, block('opted_in'));
    expect(await identity()).toEqual({ reachable: true, optOut: [] });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'user.opted_in')).toMatchObject([
      { data: { user_id: ann, source: 'platform' } },
    ]);
    expect(await send()).toEqual({ sent: 1, failed: 0, skips: {} });
  });
});

describe('a recipient whose chat is gone', () => {
  const alsoBeta = () =>
    stage.pool.query(
      `INSERT INTO identities (workspace_id, user_id, platform, external_id) VALUES ($1, $2, 'beta', 'beta-ann')`,
      [stage.workspaceId, ann],
    );
  const routeOf = async (fields: object) => {
    const id = await stage.create({ audience: { user_ids: [ann] }, ...fields } as never);
    await stage.step(id, 2);
    return values<string>(
      stage.pool,
      `SELECT concat_ws(' ', status, platform, skip_reason) FROM broadcast_recipients WHERE broadcast_id = $1`,
      [id],
    );
  };

  it('is skipped by later broadcasts until they write again', async () => {
    refuse('recipient_gone');
    expect(await send()).toEqual({ sent: 0, failed: 1, skips: {} });
    platform.script = () => undefined;
    expect(await send()).toEqual({ sent: 0, failed: 0, skips: { no_route: 1 } });
    const recipients = [{ platform: 'alpha', address: 'ann' }];
    expect(await send({ recipients })).toEqual({ sent: 0, failed: 0, skips: { no_route: 1 } });
    await stage.post(alpha, 'ann', 'Here I am', { sender: 'ann', kind: 'direct' });
    expect(await send()).toEqual({ sent: 1, failed: 0, skips: {} });
  });

  it('receives messages on another platform afterwards', async () => {
    refuse('recipient_gone');
    await send();
    await stage.connection('beta');
    await alsoBeta();
    expect(await routeOf({})).toEqual(['queued beta']);
    expect(await routeOf({ platforms: ['alpha', 'beta'] })).toEqual(['queued beta']);
  });

  it('since the audience was frozen is tried on the next platform at once with a fallback, and skipped without one', async () => {
    await send();
    await stage.connection('beta');
    await alsoBeta();
    const begun = async (fields: object) => {
      const id = await stage.create({
        audience: { user_ids: [ann] },
        platforms: ['alpha', 'beta'],
        ...fields,
      } as never);
      await stage.step(id);
      return id;
    };
    const fallback = { after_seconds: 60, success_status: 'sent' };
    const [one, other] = [await begun({ fallback }), await begun({})];
    await stage.pool.query('SELECT mark_link_broken(id) FROM links WHERE connection_id = $1', [alpha]);
    await stage.step(one, 2);
    await stage.step(other, 2);
    expect(await stage.deliveriesOf(one)).toEqual({ queued: 1 });
    expect(await stage.get(other)).toMatchObject({ status: 'completed', skip_reasons: { no_route: 1 } });
  });

  it('can still be reached by another address if it is unknown which address the chat belonged to', async () => {
    await stage.pool.query(
      `INSERT INTO identities (workspace_id, user_id, platform, external_id) VALUES ($1, $2, 'alpha', 'ann-2')`,
      [stage.workspaceId, ann],
    );
    const conversation = await stage.conversation('direct');
    await stage.pool.query(
      `INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, 'customer')`,
      [conversation, ann, stage.workspaceId],
    );
    const link = await stage.link(conversation, alpha, 'room-7');
    await stage.pool.query('SELECT mark_link_broken($1)', [link]);
    expect(await identity()).toMatchObject({ reachable: true });
    expect(await send()).toEqual({ sent: 1, failed: 0, skips: {} });
  });
});

it('a contact who has unsubscribed on the platform has opted out of marketing and notifications', async () => {
  refuse('opted_out');
  await send();
  expect(await identity()).toEqual({ reachable: true, optOut: ['marketing', 'notification'] });
  expect(await eventsOf(stage.pool, stage.workspaceId, 'user.opted_out')).toMatchObject([
    { data: { user_id: ann, source: 'platform' } },
  ]);
});

it('a group that refuses the account does not affect its members', async () => {
  const group = await stage.conversation();
  await stage.link(group, alpha, 'room');
  await stage.post(alpha, 'room', 'Hi', { sender: 'ann' });
  refuse('blocked_by_recipient');
  await stage.send(group, 'Hello');
  await worker.run(alpha);
  expect(platform.calls).toHaveLength(1);
  expect(await identity()).toEqual({ reachable: true, optOut: [] });
});
