import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../../src/contract/clock.js';
import { remoteChatId, remoteMessageId } from '../../../src/contract/index.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';
import { problem, type ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;
let link: string;
let platform: ScriptedPlatform;
let worker: ReturnType<BridgeStage['deliverer']>;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  link = await stage.link(conversation, connection, 'a');
  worker = stage.deliverer();
  platform = worker.platform;
});

describe('a platform that asks to wait', () => {
  it('is not called for one chat before that time; other chats continue, and no attempt is counted', async () => {
    const message = await stage.send(conversation, 'slow');
    await stage.elsewhere(connection, 'other');
    platform.script = ({ chatId }, number) => {
      if (chatId === 'a' && number <= 2)
        throw problem({ kind: 'rate_limited', retryAfterMs: 60_000, scope: 'chat' });
      return undefined;
    };
    await worker.run(connection);
    expect(platform.texts().sort()).toEqual(['other', 'slow']);
    const waiting = await stage.delivery(message.id);
    expect([waiting.status, waiting.attempt_count]).toEqual(['queued', 0]);
    expect(Date.parse(waiting.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(55_000);
    await worker.run(connection);
    expect(platform.texts('a')).toEqual(['slow']);
    await stage.makeDue();
    await worker.run(connection);
    expect(await stage.delivery(message.id)).toMatchObject({ status: 'sent', attempt_count: 1 });
  });

  it('is not called before that time, for the account, and again right after', async () => {
    await stage.send(conversation, 'one\ntwo\nthree');
    for (const text of ['b', 'c', 'd']) await stage.elsewhere(connection, text);
    const waitMs = 700;
    let askedAt = 0;
    platform.script = (_call, number) => {
      if (number !== 1) return undefined;
      askedAt = Date.now();
      throw problem({ kind: 'rate_limited', retryAfterMs: waitMs, scope: 'account' });
    };
    const second = stage.deliverer();
    await worker.run(connection);
    await second.run(connection);
    const later = [...platform.calls, ...second.platform.calls].filter(({ at }) => at >= askedAt);
    const early = later.slice(1).filter(({ at }) => at > askedAt + 30 && at < askedAt + waitMs - 2);
    expect(early).toEqual([]);
    await expect.poll(() => worker.run(connection).then(() => sentCount()), { timeout: 5_000 }).toBe(4);
    const tries = await values<number>(
      stage.pool,
      'SELECT max(attempt_count) FROM deliveries WHERE connection_id = $1',
      [connection],
    );
    expect(tries).toEqual([1]);
  });

  it('is not called during a long wait, even after a restart, and the reminders are less than two seconds apart', async () => {
    await stage.send(conversation, 'x');
    await stage.elsewhere(connection, 'y');
    platform.script = () => {
      throw problem({ kind: 'rate_limited', retryAfterMs: 3_600_000, scope: 'account' });
    };
    for (let n = 0; n < 5; n += 1) await worker.run(connection);
    const calls = platform.calls.length;
    const restarted = stage.deliverer();
    await restarted.run(connection);
    expect([calls <= 2, restarted.platform.calls]).toEqual([true, []]);
    const reminders = await values<Date>(
      stage.pool,
      `SELECT run_at FROM outbox WHERE topic = 'deliver' AND payload->>'connection_id' = $1 AND run_at > now() + interval '50 min'`,
      [connection],
    );
    // The reminders of sends that were refused together differ by less than two seconds.
    const times = reminders.map((at) => at.getTime());
    expect(times).not.toEqual([]);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(2_000);
  });
});

const sentCount = async () =>
  (
    await values<number>(
      stage.pool,
      `SELECT count(*)::int FROM deliveries WHERE connection_id = $1 AND status = 'sent'`,
      [connection],
    )
  )[0];

describe('invalid credentials', () => {
  it('stop the connection after the calls in flight, use no attempt and lose nothing', async () => {
    const message = await stage.send(conversation, 'x');
    await stage.send(conversation, 'y');
    platform.script = () => {
      throw problem({ kind: 'unauthorized' });
    };
    await worker.run(connection);
    await worker.run(connection);
    expect([platform.calls.length, platform.refusals.length]).toEqual([1, 1]);
    expect(await stage.delivery(message.id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      next_attempt_at: null,
    });
    platform.usable = true;
    platform.script = () => undefined;
    await worker.run(connection);
    expect(platform.texts('a')).toEqual(['x', 'x', 'y']);
  });

  it('stop the connection when a lookup finds them', async () => {
    await stage.send(conversation, 'x');
    platform.policy = 'reconcile';
    platform.script = () => {
      throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
    };
    await worker.run(connection);
    await stage.makeDue();
    platform.lookups = [problem({ kind: 'unauthorized' })];
    await worker.run(connection);
    expect(platform.refusals).toHaveLength(1);
  });
});

describe('a worker that was suspended after it took a message', () => {
  afterEach(() => vi.useRealTimers());

  /** Time passes between the claim and the worker's next step, and other processes continue. */
  function standsStill(meanwhile: () => Promise<unknown> = async () => undefined): void {
    vi.useFakeTimers({ toFake: ['performance'] });
    const claim = stage.deliveries.claim.bind(stage.deliveries);
    stage.deliveries.claim = async (...asked) => {
      const tasks = await claim(...asked);
      if (tasks.length > 0) {
        vi.advanceTimersByTime(60_000);
        await meanwhile();
      }
      return tasks;
    };
  }

  it('writes nothing when another worker has the lane by then', async () => {
    await stage.send(conversation, 'x');
    standsStill(() => stage.pool.query('UPDATE links SET fence = fence + 1 WHERE id = $1', [link]));
    await worker.run(connection);
    expect(platform.calls).toEqual([]);
  });

  it('continues when it still holds the lane', async () => {
    const message = await stage.send(conversation, 'x');
    standsStill();
    await worker.run(connection);
    expect(platform.calls).toHaveLength(1);
    expect((await stage.delivery(message.id)).status).toBe('sent');
  });
});

describe('a chat on the platform', () => {
  afterEach(() => {
    clock.agree(Date.now(), performance.now(), performance.now());
  });

  it('that moved receives the message and later ones at its new address', async () => {
    const at = performance.now();
    // Work that is due at once must also be due for the database, whose clock may be slightly behind.
    clock.agree(clock.now() + 200, at, at);
    const message = await stage.send(conversation, 'x');
    await stage.send(conversation, 'y');
    platform.script = ({ chatId }) => {
      if (chatId === 'a') throw problem({ kind: 'moved', toChatId: 'a2' as never });
      return undefined;
    };
    await worker.run(connection);
    expect(platform.calls.map(({ chatId, text }) => `${chatId} ${text}`)).toEqual(['a x', 'a2 x', 'a2 y']);
    expect(await stage.delivery(message.id)).toMatchObject({
      status: 'sent',
      attempt_count: 1,
      external_chat_id: 'a2',
    });
  });

  it('that is gone fails its message and accepts no more', async () => {
    const message = await stage.send(conversation, 'x');
    platform.script = () => {
      throw problem({ kind: 'rejected', reason: 'recipient_gone' });
    };
    await worker.run(connection);
    expect(await stage.delivery(message.id)).toMatchObject({
      status: 'failed',
      error: { code: 'recipient_gone', permanent: true },
    });
    expect(await values(stage.pool, 'SELECT status FROM links WHERE id = $1', [link])).toEqual(['broken']);
    expect((await stage.send(conversation, 'y')).direction).toBe('internal');
  });

  it('that blocks the account makes the delivery blocked', async () => {
    const message = await stage.send(conversation, 'x');
    platform.script = () => {
      throw problem({ kind: 'rejected', reason: 'blocked_by_recipient' });
    };
    await worker.run(connection);
    expect((await stage.delivery(message.id)).status).toBe('blocked');
  });

  it('that was given by an address is opened once and then known by its id', async () => {
    await stage.pool.query(`UPDATE links SET address = external_id WHERE id = $1`, [link]);
    let opened = 0;
    platform.openDirect = async () => {
      opened += 1;
      return 'dm-1';
    };
    const message = await stage.send(conversation, 'x');
    await stage.send(conversation, 'y');
    await worker.run(connection);
    expect([opened, platform.texts('dm-1')]).toEqual([1, ['x', 'y']]);
    expect((await stage.delivery(message.id)).external_chat_id).toBe('dm-1');
  });

  it.each([
    ['recorded with its one part', 'x', []],
    ['recorded before its next part', 'x\nz', ['z']],
  ])('that was given by an address is opened by the first write: %s', async (_how, text, rest) => {
    await stage.pool.query(`UPDATE links SET address = external_id WHERE id = $1`, [link]);
    platform.openDirect = async () => {
      throw new Error('There is nothing to open.');
    };
    platform.writesToAddress = true;
    platform.script = async ({ chatId, key }) => ({
      remoteId: remoteMessageId(key.slice(0, 12)),
      chatId: remoteChatId(chatId === 'a' ? 'dm-1' : chatId),
    });
    const message = await stage.send(conversation, text);
    await stage.send(conversation, 'y');
    await worker.run(connection);
    expect([platform.texts('a'), platform.texts('dm-1')]).toEqual([['x'], [...rest, 'y']]);
    expect(await stage.delivery(message.id)).toMatchObject({ status: 'sent', external_chat_id: 'dm-1' });
    const chats = await values(
      stage.pool,
      'SELECT DISTINCT external_chat_id FROM remote_messages WHERE message_id = $1',
      [message.id],
    );
    expect(chats).toEqual(['dm-1']);
    const links = await values(
      stage.pool,
      'SELECT external_id FROM links WHERE address IS NULL AND id = $1',
      [link],
    );
    expect(links).toEqual(['dm-1']);
  });

  it('that hangs does not block a later message to another chat', async () => {
    await stage.send(conversation, 'hangs');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    platform.script = async ({ chatId }) => {
      if (chatId === 'a') await held;
      return undefined as never;
    };
    const running = worker.run(connection);
    await expect.poll(() => platform.texts()).toEqual(['hangs']);
    await stage.elsewhere(connection, 'free');
    await worker.run(connection);
    await expect.poll(() => platform.texts()).toEqual(['hangs', 'free']);
    release();
    await running;
    expect(await sentCount()).toBe(2);
  });
});
