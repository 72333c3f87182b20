import { describe, expect, it } from 'vitest';
import { GatewayCommitter } from '../../../../../adapters/discord/ingress/gateway-committer.js';
import { parseSession, type Session } from '../../../../../adapters/discord/ingress/session.js';
import { RecordingHost } from '../../../../support/adapter-host.js';

const session = (sessionId: string): Session => ({
  sessionId,
  resumeUrl: 'wss://gateway.example',
  sequence: 0,
  tokenHash: 'h',
  userId: '7',
  applicationId: '6',
  at: '2026-03-01T10:00:00.000Z',
});
const event = (sessionId: string, sequence: number) => ({
  sessionId,
  sequence,
  envelope: { dedupeKey: `${sessionId}:${sequence}`, lane: 'l', payload: {} },
});
const stored = async (host: RecordingHost) => parseSession(await host.state.load('gateway-session'));

describe('the gateway committer', () => {
  it('stores the sequence after the commit, never before', async () => {
    const host = new RecordingHost();
    const journal = new GatewayCommitter(host);
    journal.open(session('s1'));
    await journal.drained();
    host.failure = new Error('away');
    journal.push(event('s1', 4));
    await host.until(() => host.received > 0);
    expect([journal.session?.sequence, (await stored(host))?.sequence]).toEqual([0, 0]);
    host.failure = undefined;
    await journal.drained();
    expect([journal.session?.sequence, (await stored(host))?.sequence]).toEqual([4, 4]);
  });

  it('keeps the old session stored until all of its events are committed', async () => {
    const host = new RecordingHost();
    const journal = new GatewayCommitter(host);
    journal.open(session('s1'));
    await journal.drained();
    host.failure = new Error('away');
    journal.push(event('s1', 9));
    journal.forget();
    journal.open(session('s2'));
    await host.until(() => host.received > 0);
    expect((await stored(host))?.sessionId).toBe('s1');
    host.failure = undefined;
    await journal.drained();
    expect(await stored(host)).toMatchObject({ sessionId: 's2', sequence: 0 });
  });

  it('dates a gap by the time of its events, not by the time of their commits', async () => {
    const host = new RecordingHost();
    const journal = new GatewayCommitter(host);
    const { at: opened } = session('s1');
    journal.open(session('s1'));
    journal.push(event('s1', 1));
    await journal.drained();
    expect((await stored(host))?.at).toBe(opened);
    const sentAt = '2026-03-01T10:00:30.000Z';
    journal.push({ ...event('s1', 2), at: sentAt });
    journal.push({ ...event('s1', 3), at: '2026-03-01T10:00:29.000Z' });
    journal.push(event('s1', 4));
    await journal.drained();
    expect(await stored(host)).toMatchObject({ sequence: 4, at: sentAt });
  });

  it('has capacity again after half of a full queue is committed, or when it stops', async () => {
    const host = new RecordingHost();
    const journal = new GatewayCommitter(host);
    journal.open(session('s1'));
    await journal.drained();
    await journal.awaitCapacity();
    let release: () => void = () => undefined;
    const away = new Promise<void>((resolve) => {
      release = resolve;
    });
    const count = 5_000;
    for (let sequence = 1; sequence <= count; sequence += 1) {
      const work = sequence === count / 2 + 10 ? () => away : async () => undefined;
      journal.push({ sessionId: 's1', sequence, lane: 'l', work });
    }
    expect(journal.full).toBe(true);
    await journal.awaitCapacity();
    // It did not wait for an empty queue.
    expect(journal.session?.sequence).toBeLessThan(count);
    expect(journal.full).toBe(false);
    for (let sequence = count + 1; sequence <= 2 * count; sequence += 1)
      journal.push({ sessionId: 's1', sequence, lane: 'l', work: async () => undefined });
    const waits = journal.awaitCapacity();
    const ends = journal.stop(1_000);
    await waits;
    release();
    await ends;
  });

  it('stores the sequence periodically under load and always at the end', async () => {
    const host = new RecordingHost();
    let saves = 0;
    const { save } = host.state;
    Object.assign(host.state, {
      save: (name: string, value: string | null) => {
        saves += 1;
        return save(name, value);
      },
    });
    const journal = new GatewayCommitter(host);
    journal.open(session('s1'));
    for (let sequence = 1; sequence <= 1_000; sequence += 1) journal.push(event('s1', sequence));
    await journal.drained();
    expect((await stored(host))?.sequence).toBe(1_000);
    expect(saves).toBeLessThan(20);
  });

  it('commits lanes concurrently and moves the sequence after all of them', async () => {
    const host = new RecordingHost();
    const journal = new GatewayCommitter(host);
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const done: number[] = [];
    const inLane = (lane: string, sequence: number, before?: Promise<void>) => ({
      sessionId: 's1',
      sequence,
      lane,
      work: async () => {
        await before;
        done.push(sequence);
      },
    });
    journal.open(session('s1'));
    journal.push(inLane('a', 1, slow));
    journal.push(inLane('a', 2));
    journal.push(inLane('b', 3));
    journal.push({ sessionId: 's1', sequence: 4 });
    await host.until(() => done.length === 1);
    expect([done, journal.session?.sequence]).toEqual([[3], 0]);
    release();
    await journal.drained();
    expect([done, journal.session?.sequence, (await stored(host))?.sequence]).toEqual([[3, 1, 2], 4, 4]);
  });

  it('runs an event without a lane exclusively', async () => {
    const journal = new GatewayCommitter(new RecordingHost());
    const running = new Set<number>();
    const beside: number[][] = [];
    const noting = (sequence: number) => async () => {
      beside.push([...running]);
      running.add(sequence);
      await new Promise(setImmediate);
      running.delete(sequence);
    };
    journal.open(session('s1'));
    for (const [index, lane] of ['a', 'b', undefined, 'c', 'd'].entries())
      journal.push({ sessionId: 's1', sequence: index + 1, work: noting(index + 1), ...(lane && { lane }) });
    await journal.drained();
    expect(beside).toEqual([[], [1], [], [], [4]]);
    expect(journal.session?.sequence).toBe(5);
  });

  it('continues in other lanes while one cannot be stored', async () => {
    const host = new RecordingHost();
    const journal = new GatewayCommitter(host);
    let broken = true;
    const done: string[] = [];
    journal.open(session('s1'));
    for (const [index, lane] of ['a', 'b', 'a', 'b'].entries()) {
      const work = async () => {
        if (lane === 'a' && broken) throw new Error('not now');
        done.push(`${lane}${index}`);
      };
      journal.push({ sessionId: 's1', sequence: index + 1, lane, work });
    }
    await host.until(() => done.length === 2);
    expect([done, journal.session?.sequence]).toEqual([['b1', 'b3'], 0]);
    broken = false;
    await journal.drained();
    expect([done, journal.session?.sequence]).toEqual([['b1', 'b3', 'a0', 'a2'], 4]);
  });

  it('treats an unreadable session as missing', async () => {
    for (const text of [undefined, '', '{', 'null', '{"sessionId":1}'])
      expect(parseSession(text)).toBeUndefined();
  });

  it('stops promptly while nothing can be stored', async () => {
    const host = new RecordingHost();
    host.failure = new Error('away');
    const journal = new GatewayCommitter(host);
    journal.push(event('s1', 1));
    await host.until(() => host.received > 2);
    await journal.stop(1_000);
    const { received } = host;
    await journal.drained();
    expect(host.received).toBe(received);
  });
});
