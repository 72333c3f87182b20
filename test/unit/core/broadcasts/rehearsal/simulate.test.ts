import { describe, expect, it } from 'vitest';
import type { Call } from '../../../../../src/core/broadcasts/rehearsal/connection-run.js';
import { type SimulatedBroadcast, simulate } from '../../../../../src/core/broadcasts/rehearsal/simulate.js';
import { spacingOf } from '../../../../../src/core/rates/account-rate-limiter.js';

const part = (cost = 1, own: Call['own'] = []): Call => ({ cost, isPart: true, own, shared: [] });
const open: Call = { cost: 1, isPart: false, own: [], shared: [] };
const CHAT = { key: '0', scope: 'chat' as const, count: 2, perMs: 2_000 };
const at = (perSecond: number, burst = 0) => ({ account: { perSecond, burst }, pausedMs: 0 });
const everyone = (count: number, kind = 0) => Array.from({ length: count }, () => kind);
const one = (count: number, calls: readonly Call[], perSecond = 30): SimulatedBroadcast => ({
  connections: [at(perSecond)],
  kinds: [{ connection: 0, calls }],
  recipients: everyone(count),
});
const seconds = async (broadcast: SimulatedBroadcast) => (await simulate(broadcast)).durationMs / 1_000;
const spaced = (turns: number, perSecond: number) => (turns * spacingOf(perSecond).spacingMs) / 1_000;

describe('a simulated broadcast', () => {
  it('takes as long as the rate limit of its account requires', async () => {
    expect(await seconds(one(3_000, [part()]))).toBeCloseTo(spaced(2_999, 30), 0);
  });

  it('needs another call for each part, each segment, and each chat that is opened', async () => {
    const expected = spaced(5_999, 30);
    for (const calls of [[part(), part()], [part(2)], [open, part()]])
      expect(Math.abs((await seconds(one(3_000, calls))) - expected)).toBeLessThan(1.5);
  });

  it('waits between parts for capacity in the chat, even if that takes longer than a task is kept', async () => {
    const own = [CHAT];
    // Five parts for one chat: two at once, two more after two seconds, then the last one.
    expect(
      await seconds(
        one(
          1,
          Array.from({ length: 5 }, () => part(1, own)),
        ),
      ),
    ).toBeCloseTo(4.4, 0);
    const slow = [{ ...CHAT, count: 1, perMs: 10_000 }];
    expect(await seconds(one(1, [part(1, slow), part(1, slow), part(1, slow)]))).toBeCloseTo(20.4, 0);
    // A waiting chat releases its slot, so that all chats wait at the same time.
    expect(await seconds(one(500, [part(1, slow), part(1, slow)], 1_000))).toBeLessThan(12);
  });

  it('shares the bucket of a method between all chats', async () => {
    const shared = [{ key: 'method', scope: 'method' as const, count: 50, perMs: 60_000 }];
    const calls = [{ cost: 1, isPart: true, own: [], shared }];
    expect(await seconds(one(151, calls, 1_000))).toBeCloseTo(180.4, 0);
  });

  it('sends as many recipients per minute as a throttle allows', async () => {
    const throttled = { ...one(1_000, [part()], 1_000), perMinute: 300 };
    // 300 at once and 300 after each minute, so 100 are left after the third minute.
    const took = await seconds(throttled);
    expect(took).toBeGreaterThan(180);
    expect(took).toBeLessThan(182);
  });

  it('runs the connections of a broadcast in parallel', async () => {
    const broadcast: SimulatedBroadcast = {
      connections: [at(10), at(30)],
      kinds: [
        { connection: 0, calls: [part()] },
        { connection: 1, calls: [part()] },
      ],
      recipients: Array.from({ length: 2_000 }, (_, index) => index % 2),
    };
    const { durationMs, connections } = await simulate(broadcast);
    expect(durationMs / 1_000).toBeCloseTo(spaced(999, 10), 0);
    expect((connections[1]?.lastMs ?? 0) / 1_000).toBeCloseTo(spaced(999, 30), 0);
  });

  it('delays a fast platform once a slow one fills the queue', async () => {
    const broadcast: SimulatedBroadcast = {
      connections: [at(1), at(1_000)],
      kinds: [
        { connection: 0, calls: [part()] },
        { connection: 1, calls: [part()] },
      ],
      recipients: Array.from({ length: 10_000 }, (_, index) => index % 2),
    };
    const { connections } = await simulate(broadcast);
    // The last 3,000 of the slow platform are queued only as its first ones complete, with those of the fast one in between.
    expect((connections[1]?.lastMs ?? 0) / 1_000).toBeGreaterThan(2_500);
  });

  it('starts a connection after the wait that its platform requested, and each recipient at the due time', async () => {
    const paused = { ...one(1, [part()]), connections: [{ ...at(30), pausedMs: 90_000 }] };
    expect(await seconds(paused)).toBe(90);
    const local = { ...one(3, [part()]), dueMs: [0, 3_600_000, 7_200_000] };
    expect(await seconds(local)).toBeCloseTo(7_200, 0);
  });

  it('ends without recipients, and with recipients that need no call', async () => {
    expect(await seconds(one(0, [part()]))).toBe(0);
    expect(await seconds(one(5_000, []))).toBe(0);
  });

  it('reports its progress, and stops when the report fails', async () => {
    const reported: number[] = [];
    await simulate(one(20_000, [part()]), (sent) => void reported.push(sent));
    expect(reported.length).toBeGreaterThan(3);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    const stop = () => {
      throw new Error('The client left.');
    };
    await expect(simulate(one(20_000, [part()]), stop)).rejects.toThrow('The client left.');
  });
});
