import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../../src/contract/clock.js';
import { type AdapterHost, remoteUserId } from '../../../src/contract/index.js';
import {
  type Behaviour,
  MemoryConnections,
  scriptedDefinition,
  supervise,
} from '../../support/fake-runtime.js';
import { problem } from '../../support/scripted-platform.js';

let runtime: MemoryConnections;
let seen: string[];
let stops: (() => Promise<void>)[];
beforeEach(() => {
  vi.useFakeTimers();
  runtime = new MemoryConnections();
  seen = [];
  stops = [];
});

afterEach(async () => {
  const stopped = Promise.all(stops.map((stop) => stop()));
  await vi.advanceTimersByTimeAsync(20_000);
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

async function start(behaviour: Behaviour = {}, more: { ingress?: boolean } = {}) {
  const definitions = [scriptedDefinition('alpha', seen), scriptedDefinition('bad', seen, behaviour)];
  const made = supervise(runtime, definitions, more.ingress ?? true);
  await made.supervisor.start();
  stops.push(() => made.supervisor.stop());
  await pass(0);
  return made;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const fail = async () => Promise.reject(problem({ kind: 'unavailable', cause: 'network' }));

describe('the supervisor', () => {
  it('starts enabled connections, and stops those that are disabled', async () => {
    runtime.add('a1', 'alpha');
    runtime.add('off', 'alpha', { enabled: false });
    const { supervisor } = await start();
    expect([seen, runtime.status('a1')]).toEqual([['a1 create', 'a1 start'], 'connected']);
    expect(supervisor.find('a1')?.uncertainPolicy).toBe('hold');
    runtime.change('a1', { enabled: false });
    await pass(3_000);
    expect([seen.at(-1), supervisor.find('a1')]).toEqual(['a1 stop', undefined]);
  });

  it('finds the adapter of a changed or deleted connection at once when a webhook was refused', async () => {
    runtime.add('a1', 'alpha');
    const { supervisor } = await start();
    const before = await supervisor.hook('a1');
    runtime.change('a1', { generation: 2 });
    expect((await supervisor.hook('a1'))?.adapter).toBe(before?.adapter);
    const after = await supervisor.hook('a1', true);
    expect([after?.platform, after?.adapter === before?.adapter]).toEqual(['alpha', false]);
    expect((await supervisor.hook('a1', true))?.adapter).toBe(after?.adapter);
    runtime.rows.delete('a1');
    expect(await supervisor.hook('a1', true)).toBeUndefined();
  });

  it('shows that the platform asks to wait, as degraded only when that lasts, and ends it by itself', async () => {
    runtime.add('a1', 'alpha');
    const { supervisor } = await start();
    const health = () => [runtime.status('a1'), runtime.rows.get('a1')?.health?.code];
    supervisor.limited('a1', new Date(clock.now() + 5_000), 1);
    await pass(0);
    expect(health()).toEqual(['connected', 'rate_limited']);
    await pass(5_000);
    expect(health()).toEqual(['connected', 'ok']);
    supervisor.limited('a1', new Date(clock.now() + 86_400_000), 1);
    await pass(59_000);
    expect(health()).toEqual(['connected', 'rate_limited']);
    await pass(2_000);
    expect(health()).toEqual(['degraded', 'rate_limited']);
    await pass(86_400_000);
    expect(health()).toEqual(['connected', 'ok']);
  });

  it('shows a requested wait that began before the adapter was created', async () => {
    runtime.add('a1', 'alpha', { pausedUntil: new Date(clock.now() + 600_000) });
    await start();
    const health = () => [runtime.status('a1'), runtime.rows.get('a1')?.health?.code];
    expect(health()).toEqual(['connected', 'rate_limited']);
    await pass(61_000);
    expect(health()).toEqual(['degraded', 'rate_limited']);
    await pass(600_000);
    expect(health()).toEqual(['connected', 'ok']);
  });

  it('reports once that a platform without an adapter does not work', async () => {
    runtime.add('lost', 'gone', { status: 'connected' });
    const { supervisor } = await start();
    expect(runtime.moves).toEqual([{ id: 'lost', to: 'degraded', code: 'misconfigured' }]);
    expect(runtime.rows.get('lost')?.health?.message).toContain('No adapter serves gone');
    await pass(7_000);
    expect([runtime.moves.length, supervisor.find('lost')]).toEqual([1, undefined]);
  });

  it('does not check connections after a stop, even if it is asked to', async () => {
    runtime.add('a1', 'alpha');
    const { supervisor, log } = await start();
    await supervisor.stop();
    runtime.configured = () => Promise.reject(new Error('The database is closed.'));
    await supervisor.poll();
    await pass(0);
    expect(log.lines.map(({ event }) => event)).not.toContain('connection.unusable');
    expect(runtime.leases.size).toBe(0);
  });

  it('restarts an adapter when its configuration changed, and leaves the others alone', async () => {
    runtime.add('a1', 'alpha');
    runtime.add('a2', 'alpha');
    const { supervisor } = await start();
    seen.length = 0;
    runtime.change('a1', { generation: 2 });
    await supervisor.poll();
    await pass(0);
    expect(seen).toEqual(['a1 stop', 'a1 create', 'a1 start']);
  });

  it('opens the ingress only while it holds the lease, and takes over when another process releases it', async () => {
    runtime.add('a1', 'alpha');
    runtime.leases.set('a1', 'another process');
    const { supervisor } = await start();
    expect([seen, supervisor.find('a1') !== undefined]).toEqual([['a1 create'], true]);
    runtime.leases.clear();
    await pass(3_000);
    expect(seen).toContain('a1 start');
    runtime.leases.set('a1', 'another process');
    await pass(3_000);
    expect(seen.filter((line) => line === 'a1 stop')).toHaveLength(1);
    expect(supervisor.find('a1')).toBeDefined();
  });

  it('records that a connection is connected once the database is back', async () => {
    runtime.add('a1', 'alpha');
    const move = runtime.move.bind(runtime);
    runtime.move = () => Promise.reject(new Error('timeout exceeded when trying to connect'));
    const { supervisor } = await start();
    expect([supervisor.find('a1') !== undefined, runtime.status('a1')]).toEqual([true, 'connecting']);
    runtime.move = move;
    await pass(2_100);
    expect(runtime.rows.get('a1')).toMatchObject({ status: 'connected', health: { code: 'ok' } });
    expect(seen).toEqual(['a1 create', 'a1 start']);
    await pass(10_000);
    expect(runtime.moves).toHaveLength(1);
  });

  it.each([
    ['does not answer', () => new Promise<never>(() => undefined)],
    ['is away', () => Promise.reject(new Error('ECONNREFUSED'))],
  ])('stops reading before its lease ends when the database %s', async (_what, answer) => {
    runtime.add('a1', 'alpha');
    const { supervisor } = await start();
    const hold = runtime.holdLeases.bind(runtime);
    let released: () => void = () => undefined;
    const end = new Promise<never>((_resolve, reject) => (released = () => reject(new Error('Too late.'))));
    runtime.holdLeases = () => Promise.race([answer(), end]);
    await pass(8_000);
    expect(seen).toEqual(['a1 create', 'a1 start']);
    await pass(1_500);
    expect(seen).toEqual(['a1 create', 'a1 start', 'a1 stop', 'a1 create']);
    expect(supervisor.find('a1')).toBeDefined();
    runtime.holdLeases = hold;
    released();
    await pass(3_000);
    expect(seen.at(-1)).toBe('a1 start');
  });

  it('stops reading only the connection whose lease cannot be renewed', async () => {
    runtime.add('a1', 'alpha');
    runtime.add('a2', 'alpha');
    await start();
    seen.length = 0;
    runtime.left.set('a1', 3_500);
    await pass(2_100);
    expect(seen).toEqual([]);
    runtime.left.set('a1', 1_500);
    await pass(2_000);
    expect(seen).toEqual([]);
    await pass(600);
    expect(seen).toEqual(['a1 stop', 'a1 create']);
    runtime.left.clear();
    await pass(3_000);
    expect(seen.slice(2)).toEqual(['a1 start']);
  });

  it('reads again after its lease expired, but only once the old adapter has stopped', async () => {
    runtime.add('b1', 'bad');
    const { supervisor } = await start({
      create: () => ({
        stop: async () => {
          seen.push('b1 stop');
          await new Promise((resolve) => setTimeout(resolve, 500));
          seen.push('b1 stopped');
        },
      }),
    });
    const hold = runtime.holdLeases.bind(runtime);
    let answer: () => void = () => undefined;
    runtime.holdLeases = async (ids, owner) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return hold(ids, owner);
    };
    await pass(9_100);
    expect(seen).toEqual(['b1 create', 'b1 start', 'b1 stop']);
    runtime.holdLeases = hold;
    answer();
    await pass(0);
    await supervisor.poll();
    await pass(100);
    expect(seen.at(-1)).toBe('b1 stop');
    await pass(3_000);
    expect(seen.slice(2)).toEqual(['b1 stop', 'b1 stopped', 'b1 create', 'b1 start']);
    expect(supervisor.find('b1')).toBeDefined();
  });

  it('stops an adapter that is still starting when another process takes the lease, and reports no failure', async () => {
    runtime.add('b1', 'bad');
    let end: () => void = () => undefined;
    const behaviour: Behaviour = {
      create: () => ({
        start: () => {
          seen.push('b1 start');
          return new Promise((_resolve, reject) => (end = () => reject(new Error('Stopped.'))));
        },
        stop: async () => {
          seen.push('b1 stop');
          end();
        },
      }),
    };
    const { log } = await start(behaviour);
    runtime.leases.set('b1', 'another process');
    await pass(5_000);
    expect(seen).toEqual(['b1 create', 'b1 start', 'b1 stop', 'b1 create']);
    expect(log.lines.map(({ event }) => event)).not.toContain('connection.failed');
    runtime.leases.clear();
    await pass(3_000);
    expect(seen.at(-1)).toBe('b1 start');
  });

  it('sends in a process without ingress, and acquires no lease there', async () => {
    runtime.add('a1', 'alpha');
    const { supervisor } = await start({}, { ingress: false });
    expect([seen, runtime.leases.size, supervisor.find('a1') !== undefined]).toEqual([
      ['a1 create'],
      0,
      true,
    ]);
  });

  it('releases its leases when it stops', async () => {
    runtime.add('a1', 'alpha');
    const { supervisor } = await start();
    expect(runtime.leases.size).toBe(1);
    await supervisor.stop();
    expect([runtime.leases.size, seen.at(-1)]).toEqual([0, 'a1 stop']);
  });

  it('creates one adapter for an envelope and a check that arrive at the same time', async () => {
    runtime.add('a1', 'alpha');
    const { supervisor } = supervise(runtime, [scriptedDefinition('alpha', seen)]);
    stops.push(() => supervisor.stop());
    const envelope = { dedupeKey: 'k', lane: 'l', payload: null };
    await Promise.all([
      supervisor.start(),
      supervisor.hook('a1'),
      supervisor.decode('a1', envelope),
      supervisor.poll(),
    ]);
    await pass(0);
    expect(seen.filter((line) => line === 'a1 create')).toHaveLength(1);
  });

  it('has no adapter for a platform that is not installed', async () => {
    runtime.add('x', 'unknown');
    const { supervisor } = await start();
    await expect(supervisor.decode('x', { dedupeKey: 'k', lane: 'l', payload: null })).rejects.toThrow(
      'no installed adapter',
    );
    expect(await supervisor.hook('x')).toBeUndefined();
  });
});

describe('an adapter that fails', () => {
  const never = () => new Promise<never>(() => undefined);
  const broken: [string, Behaviour][] = [
    [
      'throws when it is made',
      {
        create: () => {
          throw new Error('no');
        },
      },
    ],
    ['hangs when it is made', { create: never }],
    [
      'throws when it connects',
      {
        create: () => ({
          identify: () => {
            throw new TypeError('no');
          },
        }),
      },
    ],
    ['hangs when it connects', { create: () => ({ identify: never }) }],
    ['throws when it starts', { create: () => ({ start: fail }) }],
    ['hangs when it starts', { create: () => ({ start: never }) }],
    ['throws when it stops', { create: () => ({ stop: fail }) }],
    ['hangs when it stops', { create: () => ({ stop: never }) }],
    [
      'throws when asked what it can do',
      {
        create: () => ({
          capabilities: () => {
            throw new Error('no');
          },
        }),
      },
    ],
  ];

  it.each(broken)('%s without affecting other adapters', async (_what, behaviour) => {
    runtime.add('b1', 'bad');
    runtime.add('a1', 'alpha');
    const { supervisor } = await start(behaviour);
    expect(supervisor.find('a1')).toBeDefined();
    runtime.change('b1', { generation: 2 });
    runtime.change('a1', { generation: 2 });
    await pass(15_000);
    expect(seen.filter((line) => line === 'a1 start')).toHaveLength(2);
  });

  it('is retried with increasing waits, one attempt at a time, and recovers by itself', async () => {
    let tries = 0;
    const create = async () => {
      tries += 1;
      if (tries <= 3) await fail();
      return {};
    };
    runtime.add('b1', 'bad');
    await start({ create });
    expect([tries, runtime.status('b1'), runtime.rows.get('b1')?.health?.code]).toEqual([
      1,
      'connecting',
      'transient',
    ]);
    await pass(1_000);
    expect(tries).toBe(2);
    await pass(1_900);
    expect(tries).toBe(2);
    await pass(6_000);
    expect([tries, runtime.status('b1')]).toEqual([4, 'connected']);
  });

  it('is not retried before the wait that it asks for is over', async () => {
    let tries = 0;
    const identify = async () => {
      tries += 1;
      throw problem({ kind: 'rate_limited', retryAfterMs: 30_000, scope: 'account' });
    };
    runtime.add('b1', 'bad');
    await start({ create: () => ({ identify }) });
    expect(runtime.rows.get('b1')?.health?.code).toBe('rate_limited');
    await pass(29_000);
    expect(tries).toBe(1);
    await pass(2_000);
    expect(tries).toBe(2);
  });

  it.each([10 ** 12, Number.NaN, -1])(
    'is not retried immediately if it asks for a wait of %d ms',
    async (asked) => {
      let tries = 0;
      const identify = async () => {
        tries += 1;
        throw problem({ kind: 'rate_limited', retryAfterMs: asked, scope: 'account' });
      };
      runtime.add('b1', 'bad');
      await start({ create: () => ({ identify }) });
      await pass(900);
      expect(tries).toBe(1);
    },
  );
});

describe('the health of a connection', () => {
  let host: AdapterHost;
  const reporting: Behaviour = {
    create: (given) => {
      host = given;
      return {};
    },
  };

  it('keeps the advice of a working adapter: when it starts, and after a wait that the platform asked for', async () => {
    runtime.add('b1', 'bad');
    const message = 'The app lacks a permission.';
    const { supervisor } = await start({
      create: (given) => ({
        start: async () => given.health({ code: 'ok', message, fix: 'Add it.' }),
      }),
    });
    const health = () => runtime.rows.get('b1')?.health;
    const advice = { code: 'ok', message, fix: 'Add it.' };
    expect([runtime.status('b1'), health()]).toMatchObject(['connected', advice]);
    supervisor.limited('b1', new Date(clock.now() + 5_000), 1);
    await pass(1_000);
    expect(health()).toMatchObject({ code: 'rate_limited' });
    await pass(5_000);
    expect([runtime.status('b1'), health()]).toMatchObject(['connected', advice]);
  });

  it('is an error for refused credentials: nothing is called until something changes', async () => {
    let asked = 0;
    const identify = async () => {
      asked += 1;
      throw problem({ kind: 'unauthorized' });
    };
    runtime.add('b1', 'bad');
    const { supervisor } = await start({ create: () => ({ identify }) });
    await pass(600_000);
    expect([asked, runtime.status('b1'), runtime.rows.get('b1')?.health?.code]).toEqual([
      1,
      'error',
      'bad_credentials',
    ]);
    expect(supervisor.find('b1')).toBeUndefined();
    runtime.change('b1', { generation: 2, status: 'connecting' });
    await pass(3_000);
    expect(asked).toBe(2);
  });

  it('is an error when a send is refused for its credentials, and remains one after a restart of the process', async () => {
    runtime.add('b1', 'bad');
    const { supervisor } = await start(reporting);
    supervisor.refused('b1', problem({ kind: 'unauthorized' }), 1);
    supervisor.refused('b1', problem({ kind: 'unauthorized' }), 1);
    await pass(0);
    expect([runtime.status('b1'), supervisor.find('b1'), seen.at(-1)]).toEqual([
      'error',
      undefined,
      'b1 stop',
    ]);
    expect(runtime.moves.filter(({ to }) => to === 'error')).toHaveLength(1);
    host.health({ code: 'ok', message: 'Late news.' });
    const restarted = await start(reporting);
    expect([runtime.status('b1'), restarted.supervisor.find('b1')]).toEqual(['error', undefined]);
  });

  it('is an error as soon as a refusal can be recorded, and the process requests no ingress lease until then', async () => {
    runtime.add('b1', 'bad');
    const { supervisor } = await start(reporting);
    const [move, hold] = [runtime.move.bind(runtime), vi.spyOn(runtime, 'holdLeases')];
    runtime.move = () => Promise.reject(new Error('The database is away.'));
    supervisor.refused('b1', problem({ kind: 'unauthorized' }), 1);
    await pass(3_000);
    expect([runtime.status('b1'), supervisor.find('b1'), hold.mock.lastCall?.[0]]).toEqual([
      'connected',
      undefined,
      [],
    ]);
    runtime.move = move;
    await pass(10_000);
    expect(runtime.moves.filter(({ to }) => to === 'error')).toHaveLength(1);
  });

  it('is an error in every process once one of them was refused', async () => {
    runtime.add('b1', 'bad');
    const { supervisor } = await start(reporting);
    runtime.change('b1', { status: 'error' });
    await pass(3_000);
    expect([seen, supervisor.find('b1')]).toEqual([['b1 create', 'b1 start', 'b1 stop'], undefined]);
    runtime.change('b1', { status: 'connecting', generation: 2 });
    await pass(3_000);
    expect(runtime.status('b1')).toBe('connected');
  });

  it('reflects the new credentials, and ignores late reports about the old ones', async () => {
    let answer: () => void = () => undefined;
    let made = 0;
    const identify = async () => {
      made += 1;
      if (made === 1) {
        await new Promise<void>((resolve) => (answer = resolve));
        throw problem({ kind: 'unauthorized' });
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { externalId: remoteUserId('me') };
    };
    runtime.add('b1', 'bad');
    const { supervisor } = await start({ create: () => ({ identify }) });
    runtime.change('b1', { generation: 2 });
    await supervisor.poll();
    answer();
    await pass(300);
    supervisor.refused('b1', problem({ kind: 'unauthorized' }), 1);
    supervisor.limited('b1', new Date(clock.now() + 5_000), 1);
    await pass(3_000);
    expect(runtime.moves).toEqual([{ id: 'b1', to: 'connected', code: 'ok' }]);
    expect(supervisor.find('b1')?.generation).toBe(2);
    expect(seen.filter((line) => line === 'b1 start')).toHaveLength(1);
  });

  it('is degraded only after a minute of trouble, and connected again within a second', async () => {
    runtime.add('b1', 'bad');
    await start(reporting);
    const report = async (code: 'transient' | 'ok') => {
      host.health({ code, message: 'As scripted.' });
      await pass(1_000);
    };
    await report('transient');
    await pass(58_000);
    await report('transient');
    expect(runtime.status('b1')).toBe('connected');
    await pass(1_000);
    await report('transient');
    expect(runtime.status('b1')).toBe('degraded');
    await report('ok');
    expect(runtime.status('b1')).toBe('connected');
    await pass(600_000);
    expect(runtime.status('b1')).toBe('connected');
  });

  it('is not reported by a process without the ingress lease, but refused credentials are', async () => {
    runtime.add('b1', 'bad');
    await start(reporting);
    const reader = host;
    runtime.leases.set('b1', 'another process');
    await pass(3_000);
    reader.health({ code: 'misconfigured', message: 'Somebody else reads.' });
    reader.health({ code: 'transient', message: 'The line is cut.' });
    await pass(0);
    expect([runtime.status('b1'), runtime.rows.get('b1')?.health?.code]).toEqual(['connected', 'ok']);
    host.health({ code: 'bad_credentials', message: 'The app was removed.' });
    await pass(0);
    expect(runtime.status('b1')).toBe('error');
  });

  it('is ok again once an ingress that failed to open is open', async () => {
    let tries = 0;
    const startIngress = async () => {
      tries += 1;
      if (tries === 1) await fail();
    };
    runtime.add('b1', 'bad');
    await start({ create: () => ({ start: startIngress }) });
    expect(runtime.rows.get('b1')?.health?.code).toBe('transient');
    await pass(2_000);
    expect([tries, runtime.status('b1'), runtime.rows.get('b1')?.health?.code]).toEqual([
      2,
      'connected',
      'ok',
    ]);
  });

  it('is not that of a missing connection when the lookup fails: the database error is passed on', async () => {
    const { supervisor } = await start();
    runtime.add('b1', 'bad');
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    runtime.configured = () => Promise.reject(away);
    const envelope = { dedupeKey: 'k', lane: 'l', payload: null };
    await expect(supervisor.hook('b1')).rejects.toBe(away);
    await expect(supervisor.decode('b1', envelope)).rejects.toBe(away);
    runtime.configured = async (id) => runtime.rows.get(id);
    expect(await supervisor.hook('b1')).toMatchObject({ platform: 'bad' });
    expect(await supervisor.hook('nobody')).toBeUndefined();
  });

  it('is written at most once per second, however often it is reported, and the last report is stored', async () => {
    runtime.add('b1', 'bad');
    const { log } = await start(reporting);
    runtime.moves.length = 0;
    for (let round = 0; round < 100; round += 1) {
      for (let each = 0; each < 500; each += 1)
        host.health({ code: each % 2 === 0 ? 'transient' : 'rate_limited', message: `Number ${each}.` });
      await pass(100);
    }
    host.health({ code: 'transient', message: 'The last one.' });
    await pass(2_000);
    expect(runtime.moves.length).toBeLessThanOrEqual(13);
    expect(runtime.rows.get('b1')?.health).toMatchObject({ code: 'transient', message: 'The last one.' });
    const lines = log.lines.filter(({ event }) => event === 'adapter.calls_dropped');
    expect(lines).toHaveLength(1);
    await pass(10_000);
    const counted = log.lines.flatMap(({ event, fields }) =>
      event === 'adapter.calls_dropped' ? [(fields.dropped as { health: number }).health] : [],
    );
    expect(counted.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(49_900);
    expect(log.lines.length).toBeLessThan(10);
  });

  it('is not written if it returns to the stored value before the write', async () => {
    runtime.add('b1', 'bad');
    await start(reporting);
    host.health({ code: 'ok', message: 'Connected.' });
    await pass(0);
    runtime.moves.length = 0;
    for (let each = 0; each < 50; each += 1) {
      host.health({ code: 'transient', message: 'Away.' });
      host.health({ code: 'ok', message: 'Connected.' });
      await pass(100);
    }
    await pass(5_000);
    expect(runtime.moves).toEqual([]);
    expect(runtime.status('b1')).toBe('connected');
  });

  it('is written once the database is back', async () => {
    runtime.add('b1', 'bad');
    await start(reporting);
    const move = runtime.move.bind(runtime);
    runtime.move = () => Promise.reject(new Error('The database is away.'));
    host.health({ code: 'transient', message: 'Away.' });
    await pass(5_000);
    runtime.move = move;
    await pass(2_000);
    expect(runtime.rows.get('b1')?.health?.message).toBe('Away.');
  });

  it('is written before the connection ends', async () => {
    runtime.add('b1', 'bad');
    const { supervisor } = await start(reporting);
    host.health({ code: 'transient', message: 'First.' });
    host.health({ code: 'transient', message: 'Last.' });
    await supervisor.stop();
    expect(runtime.rows.get('b1')?.health?.message).toBe('Last.');
  });

  it.each([
    ['create', () => new Promise<never>(() => undefined), 11_000],
    ['identify', () => ({ identify: () => new Promise<never>(() => undefined) }), 21_000],
    ['start', () => ({ start: () => new Promise<never>(() => undefined) }), 61_000],
  ] as const)(
    'names the hook that hangs, and the connection is retried: %s',
    async (hook, create, afterMs) => {
      let hangs = true;
      runtime.add('b1', 'bad');
      const { log } = await start({ create: () => (hangs ? create() : {}) });
      await pass(afterMs);
      const health = runtime.rows.get('b1')?.health;
      expect(health).toMatchObject({
        code: 'transient',
        message: expect.stringContaining(`in its hook ${hook}`),
      });
      expect(runtime.status('b1')).toBe('degraded');
      expect(log.lines.map(({ event }) => event)).toContain('adapter.hook_failed');
      hangs = false;
      await pass(70_000);
      expect([runtime.status('b1'), runtime.rows.get('b1')?.health?.code]).toEqual(['connected', 'ok']);
    },
  );

  it.each(['create', 'identify', 'start'])('names the adapter and its hook that throws: %s', async (hook) => {
    const broken = () => {
      throw new TypeError('token-of-b1 is not a function');
    };
    runtime.add('b1', 'bad');
    await start({ create: () => (hook === 'create' ? broken() : { [hook]: async () => broken() }) });
    expect(runtime.rows.get('b1')?.health).toEqual({
      code: 'misconfigured',
      message: `The adapter bad failed in its hook ${hook}: *** is not a function`,
      fix: expect.stringContaining('author of the adapter'),
    });
    expect(runtime.status('b1')).toBe('degraded');
  });

  it('names a hook that fails while the connection runs, and is ok once the hook works again', async () => {
    let fails = true;
    runtime.add('b1', 'bad');
    const decode = () => {
      if (fails) throw new Error('no');
      return [];
    };
    const { supervisor } = await start({ create: () => ({ decode }) });
    const envelope = { dedupeKey: 'k', lane: 'l', payload: null };
    await expect(supervisor.decode('b1', envelope)).rejects.toThrow('failed in its hook decode');
    await pass(1_000);
    expect(runtime.rows.get('b1')?.health?.message).toBe('The adapter bad failed in its hook decode: no');
    fails = false;
    await supervisor.decode('b1', envelope);
    await pass(1_000);
    expect(runtime.rows.get('b1')?.health?.code).toBe('ok');
  });

  it('contains no secret in its message and its fix', async () => {
    runtime.add('b1', 'bad');
    await start(reporting);
    host.health({
      code: 'misconfigured',
      message: 'See token-of-b1.',
      fix: `Basic ${btoa('x:token-of-b1')}`,
    });
    await pass(0);
    expect(runtime.rows.get('b1')?.health).toEqual({
      code: 'misconfigured',
      message: 'See ***.',
      fix: expect.stringMatching(/^Basic \S{0,6}\*\*\*/),
    });
  });

  it('never tells a secret', async () => {
    runtime.add('b1', 'bad');
    const { log } = await start({
      create: () => Promise.reject(new Error('GET /bottoken-of-b1/getMe failed')),
    });
    expect(JSON.stringify([log.lines, [...runtime.rows.values()].map(({ health }) => health)])).not.toContain(
      'token-of-b1',
    );
  });
});
