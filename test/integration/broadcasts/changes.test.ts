import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { ChangeLimits } from '../../../src/core/broadcasts/changes/ports.js';
import type { ChangeKind } from '../../../src/core/broadcasts/changes/record.js';
import { RunBroadcastChanges } from '../../../src/core/broadcasts/changes/run.js';
import { PostgresBroadcastChanges } from '../../../src/store/broadcasts/changes.js';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { problem, ScriptedPlatform } from '../../support/scripted-platform.js';

const EVERYWHERE: ChangeLimits = { alpha: { max_age_s: null }, beta: { max_age_s: null } };
const going = new AbortController().signal;

let stage: BroadcastStage;
let changes: PostgresBroadcastChanges;
let alpha: string;
let platform: ScriptedPlatform;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  changes = new PostgresBroadcastChanges(pool);
  alpha = await stage.connection('alpha');
  platform = new ScriptedPlatform();
});

const deliver = (connection = alpha) => stage.deliverer(platform).run(connection);

/** A broadcast that was sent and is completed. */
async function completed(recipients: object[], fields: object = {}): Promise<string> {
  const id = await stage.create({ audience: { recipients }, ...fields } as never);
  await stage.step(id, 3);
  await deliver();
  return id;
}

async function start(
  broadcast: string,
  kind: ChangeKind,
  text: string | null = kind === 'edit' ? 'New' : null,
  limits: ChangeLimits = EVERYWHERE,
): Promise<string> {
  const id = uuidv7();
  const owner = { workspace_id: stage.workspaceId, created_by: stage.memberId };
  await changes.start({ id, broadcast_id: broadcast, kind, text, limits, ...owner });
  return id;
}

/** Ends every wait of the change. */
const makeDue = (id: string) =>
  stage.pool.query('UPDATE broadcast_changes SET look_at = now() WHERE id = $1', [id]);

async function work(id: string): Promise<void> {
  await makeDue(id);
  await new RunBroadcastChanges(changes, silentLog).run(id, going);
}

/** Delivers messages with the platform's responses until the change has ended. */
async function finish(id: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await work(id);
    if ((await read(id)).ended_at !== null) return;
    await deliver();
  }
  throw new Error('The change has not ended.');
}

async function read(id: string) {
  const found = await changes.find(stage.workspaceId, id);
  if (found === undefined) throw new Error('There is no such change.');
  return found;
}
const countsOf = async (id: string) => (await read(id)).platforms;
const reasonsOf = (id: string) =>
  values<string>(
    stage.pool,
    `SELECT concat_ws(' ', platform, result, reason) FROM broadcast_change_recipients WHERE change_id = $1 ORDER BY 1`,
    [id],
  );
const messagesOf = (broadcast: string) =>
  values<string>(stage.pool, 'SELECT id FROM messages WHERE broadcast_id = $1 ORDER BY id', [broadcast]);
const actions = (action: string) => platform.calls.filter((call) => call.action === action);

describe('an edit of a completed broadcast', () => {
  it('changes each message once on its platform, with the values of its recipient', async () => {
    const named = addresses('alpha', 3).map((each, at) => ({ ...each, variables: { who: `P${at}` } }));
    const broadcast = await completed(named, { text: 'Hello {{who}}' });
    const id = await start(broadcast, 'edit', 'Sorry, {{who}}');
    await finish(id);
    expect(
      actions('update')
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['Sorry, P0', 'Sorry, P1', 'Sorry, P2']);
    expect(await read(id)).toMatchObject({
      status: 'completed',
      platforms: [{ platform: 'alpha', total: 3, open: 0, changed: 3, unsupported: 0, impossible: 0 }],
    });
    expect(await stage.get(broadcast)).toMatchObject({ status: 'completed', counts: { sent: 3 } });
  });

  it('is refused while another one runs, and the later of two edits wins', async () => {
    const broadcast = await completed(addresses('alpha', 1));
    const first = await start(broadcast, 'edit', 'First');
    await expect(start(broadcast, 'edit', 'Second')).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'changing' },
    });
    await finish(first);
    await finish(await start(broadcast, 'edit', 'Second'));
    expect(actions('update').map(({ text }) => text)).toEqual(['First', 'Second']);
  });

  it('starts once when two requests start it at the same time', async () => {
    const broadcast = await completed(addresses('alpha', 1));
    const both = await Promise.allSettled([start(broadcast, 'edit'), start(broadcast, 'edit')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('continues after a crash between two batches, and changes no message twice', async () => {
    const broadcast = await completed(addresses('alpha', 7));
    const id = await start(broadcast, 'edit');
    expect(await changes.claim(id)).toBe(true);
    expect(await changes.step(id, 3)).toBe('continue');
    expect(await countsOf(id)).toMatchObject([{ open: 3 }]);
    // The process crashes: no other process takes the change before its time, and the sweeper then reminds of it.
    expect(await changes.claim(id)).toBe(false);
    const reminders = () =>
      values<number>(
        stage.pool,
        `SELECT count(*)::int FROM outbox WHERE payload->>'broadcast_change_id' = $1`,
        [id],
      );
    const [before] = await reminders();
    await stage.pool.query(`UPDATE broadcast_changes SET look_at = now() - interval '6 s' WHERE id = $1`, [
      id,
    ]);
    await changes.sweep();
    expect(await reminders()).toEqual([Number(before) + 1]);
    await finish(id);
    expect(actions('update')).toHaveLength(7);
    expect(await countsOf(id)).toMatchObject([{ total: 7, changed: 7 }]);
    const revisions = await values(
      stage.pool,
      'SELECT DISTINCT revision FROM messages WHERE broadcast_id = $1',
      [broadcast],
    );
    expect(revisions).toEqual([2]);
  });

  it('changes each message once when several workers process it at once', async () => {
    const broadcast = await completed(addresses('alpha', 20));
    const id = await start(broadcast, 'edit');
    const steps = await Promise.all([1, 2, 3, 4].map(() => changes.step(id, 5)));
    expect(steps).toEqual(['continue', 'continue', 'continue', 'continue']);
    await finish(id);
    expect(actions('update')).toHaveLength(20);
    expect(await countsOf(id)).toMatchObject([{ total: 20, changed: 20 }]);
  });

  it('keeps the later edit of an agent, and counts its own change as done', async () => {
    const broadcast = await completed(addresses('alpha', 1));
    const [message = ''] = await messagesOf(broadcast);
    const id = await start(broadcast, 'edit', 'By the broadcast');
    await work(id);
    await stage.messages.edit(stage.scope, message, { text: 'By an agent' });
    await finish(id);
    expect(actions('update').at(-1)?.text).toBe('By an agent');
    expect(await reasonsOf(id)).toEqual(['alpha changed']);
  });

  it('says which messages it did not change, and why', async () => {
    const broadcast = await completed([
      ...addresses('alpha', 4),
      { platform: 'alpha', address: 'has', variables: { who: 'You' } },
    ]);
    const [gone = '', unlinked, old, refused] = await messagesOf(broadcast);
    await stage.messages.delete(stage.scope, gone, stage.memberId);
    await deliver();
    await stage.pool.query(
      `UPDATE links SET removed_at = now() WHERE id = (SELECT link_id FROM deliveries WHERE message_id = $1)`,
      [unlinked],
    );
    await stage.pool.query(
      `UPDATE deliveries SET sent_at = now() - interval '2 days' WHERE message_id = $1`,
      [old],
    );
    const [chat] = await values<string>(
      stage.pool,
      'SELECT external_chat_id FROM deliveries WHERE message_id = $1',
      [refused],
    );
    platform.script = (call) => {
      if (call.action === 'update' && call.chatId === chat)
        throw problem({ kind: 'rejected', reason: 'content_rejected' });
      return undefined;
    };
    const id = await start(broadcast, 'edit', 'New', { alpha: { max_age_s: 86_400 } });
    await finish(id);
    expect(await reasonsOf(id)).toEqual([
      'alpha changed',
      'alpha impossible deleted',
      'alpha impossible refused',
      'alpha impossible too_old',
      'alpha impossible unlinked',
    ]);
    // If a change was not possible, the stored copy still shows what the recipient sees.
    expect(await stage.message(String(old))).toMatchObject({ text: 'Hello', revision: 1 });
  });

  it('does not send a text with a missing value', async () => {
    const broadcast = await completed(addresses('alpha', 1));
    const id = await start(broadcast, 'edit', 'Hello {{who}}');
    await finish(id);
    expect(await reasonsOf(id)).toEqual(['alpha impossible missing_variable']);
  });

  it('leaves messages alone on platforms that cannot edit', async () => {
    const beta = await stage.connection('beta');
    const id = await stage.create({
      audience: { recipients: [...addresses('alpha', 1), ...addresses('beta', 2)] },
    });
    await stage.step(id, 3);
    await deliver();
    await deliver(beta);
    const change = await start(id, 'edit', 'New', { alpha: { max_age_s: null } });
    await finish(change);
    expect(await countsOf(change)).toMatchObject([
      { platform: 'alpha', total: 1, changed: 1 },
      { platform: 'beta', total: 2, unsupported: 2, changed: 0 },
    ]);
    await deliver(beta);
    expect(actions('update')).toHaveLength(1);
  });

  it('pauses while a platform has too many unanswered changes', async () => {
    const broadcast = await completed(addresses('alpha', 3));
    const id = await start(broadcast, 'edit');
    await stage.pool.query('UPDATE broadcast_change_platforms SET open = 451 WHERE change_id = $1', [id]);
    expect(await changes.step(id, 50)).toBe('idle');
    await stage.pool.query('UPDATE broadcast_change_platforms SET open = 0 WHERE change_id = $1', [id]);
    expect(await changes.step(id, 50)).toBe('continue');
  });

  it('ends a day after its platform last answered', async () => {
    const broadcast = await completed(addresses('alpha', 2));
    const id = await start(broadcast, 'edit');
    await work(id);
    await stage.pool.query(
      `UPDATE broadcast_changes SET progressed_at = now() - interval '25 hours' WHERE id = $1`,
      [id],
    );
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'completed', platforms: [{ impossible: 2, open: 0 }] });
    expect(await reasonsOf(id)).toEqual(['alpha impossible no_answer', 'alpha impossible no_answer']);
  });
});

describe('a recall of a broadcast', () => {
  it('removes each message, and a later edit of the broadcast is refused', async () => {
    const broadcast = await completed(addresses('alpha', 3));
    const id = await start(broadcast, 'recall');
    await finish(id);
    expect(actions('remove')).toHaveLength(3);
    expect(await countsOf(id)).toMatchObject([{ total: 3, changed: 3 }]);
    expect(await stage.get(broadcast)).toMatchObject({ status: 'completed', counts: { sent: 3 } });
    await expect(start(broadcast, 'edit')).rejects.toMatchObject({ details: { current: 'recalled' } });
    expect(await changes.countSent(stage.workspaceId, broadcast, EVERYWHERE)).toEqual([
      { platform: 'alpha', recipients: 3, deleted: 3, too_old: 0 },
    ]);
  });

  it('of a canceled broadcast removes the messages that were sent', async () => {
    const broadcast = await stage.create({ audience: { recipients: addresses('alpha', 2) } });
    await stage.step(broadcast, 2);
    await stage.pool.query(
      `UPDATE deliveries d SET held = true FROM messages m WHERE m.id = d.message_id
         AND m.broadcast_id = $1 AND d.external_chat_id = 'alpha-1'`,
      [broadcast],
    );
    await deliver();
    await expect(start(broadcast, 'recall')).rejects.toMatchObject({ details: { current: 'sending' } });
    await stage.control.cancel(stage.caller, broadcast);
    await stage.step(broadcast, 2);
    expect(await stage.get(broadcast)).toMatchObject({
      status: 'canceled',
      counts: { sent: 1, canceled: 1 },
    });
    const id = await start(broadcast, 'recall');
    await finish(id);
    expect(actions('remove')).toHaveLength(1);
    expect(await countsOf(id)).toMatchObject([{ total: 1, changed: 1 }]);
  });

  it('says that the platform refused it', async () => {
    const broadcast = await completed(addresses('alpha', 1));
    platform.script = ({ action }) => {
      if (action === 'remove') throw problem({ kind: 'rejected', reason: 'content_rejected' });
      return undefined;
    };
    const id = await start(broadcast, 'recall');
    await finish(id);
    expect(await reasonsOf(id)).toEqual(['alpha impossible refused']);
  });

  it('that is stopped changes no further message, and may be started again', async () => {
    const broadcast = await completed(addresses('alpha', 4));
    const id = await start(broadcast, 'recall');
    await changes.step(id, 2);
    await changes.stop(stage.workspaceId, id);
    await finish(id);
    expect(await read(id)).toMatchObject({
      status: 'stopped',
      platforms: [{ total: 4, changed: 2, open: 0 }],
    });
    await expect(changes.stop(stage.workspaceId, id)).rejects.toMatchObject({
      details: { current: 'stopped' },
    });
    await finish(await start(broadcast, 'recall'));
    expect(actions('remove')).toHaveLength(4);
  });

  it('keeps a failed recipient from getting the message by a retry', async () => {
    platform.script = ({ chatId }) => {
      if (chatId === 'alpha-1') throw problem({ kind: 'rejected', reason: 'content_rejected' });
      return undefined;
    };
    const broadcast = await completed(addresses('alpha', 2));
    expect(await stage.get(broadcast)).toMatchObject({ counts: { sent: 1, failed: 1 } });
    await finish(await start(broadcast, 'recall'));
    await expect(stage.control.retry(stage.caller, broadcast)).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'changed' },
    });
    expect(await stage.get(broadcast)).toMatchObject({ status: 'completed', counts: { failed: 1 } });
  });

  it('keeps its counts when its recipients are purged after a month', async () => {
    const broadcast = await completed(addresses('alpha', 2));
    const id = await start(broadcast, 'recall');
    await finish(id);
    await stage.pool.query(
      `UPDATE broadcast_changes SET ended_at = now() - interval '32 days' WHERE id = $1`,
      [id],
    );
    await changes.sweep();
    expect(await reasonsOf(id)).toEqual([]);
    expect(await read(id)).toMatchObject({ has_rows: false, platforms: [{ changed: 2 }] });
  });
});

it('a change of a broadcast is refused if no recipient can be changed', async () => {
  const broadcast = await completed(addresses('alpha', 1));
  await expect(start(broadcast, 'recall', null, {})).rejects.toMatchObject({
    details: { current: 'unchangeable' },
  });
  await expect(start(uuidv7(), 'recall')).rejects.toMatchObject({ code: 'not_found' });
});
