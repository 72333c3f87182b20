import { describe, expect, it } from 'vitest';
import { type LookupResult, ops } from '../../../../src/contract/index.js';
import { ResultBatcher } from '../../../../src/core/deliveries/dispatch/result-batcher.js';
import type { DeliveryStore, SendingConnection } from '../../../../src/core/deliveries/ports.js';
import { reconcile } from '../../../../src/core/deliveries/reconcile.js';
import type { Run } from '../../../../src/core/deliveries/send/run-task.js';
import { runTask } from '../../../../src/core/deliveries/send/run-task.js';
import { taskContent } from '../../../../src/core/deliveries/send/task-content.js';
import { type Gate, openGate } from '../../../../src/core/deliveries/send/write-gate.js';
import type { DeliveryTask, KnownPart, TaskResult } from '../../../../src/core/deliveries/task.js';
import { policyFor, resultOf } from '../../../../src/core/deliveries/task-result.js';
import { deliveryTask } from '../../../support/delivery-task.js';
import { problem, ScriptedPlatform, scriptedCapabilities } from '../../../support/scripted-platform.js';

const ann = { display_name: 'Ann', profile_image: 'https://a.example/ann.png' };

describe('the content for a platform', () => {
  it('is the text alone for messages of the API and without attribution', () => {
    expect(taskContent(deliveryTask(), scriptedCapabilities).content.text).toBe('Hello');
    const silent = deliveryTask({ sender: ann, link: { ...deliveryTask().link, attribution: 'none' } });
    expect(taskContent(silent, scriptedCapabilities).content.text).toBe('Hello');
  });

  it('begins with the sender’s name for a relayed message, with its styles moved along', () => {
    const spans = [{ mark: 'bold' as const, start: 0, end: 5 }];
    const { content } = taskContent(deliveryTask({ sender: ann }, { spans }), scriptedCapabilities);
    expect(content.text).toBe('Ann: Hello');
    const [span] = content.spans;
    expect(content.text.slice(span?.start, span?.end)).toBe('Hello');
  });

  it('is a persona if the link uses one and the platform supports them, else the prefix', () => {
    const task = deliveryTask({ sender: ann, link: { ...deliveryTask().link, attribution: 'persona' } });
    expect(taskContent(task, scriptedCapabilities)).toMatchObject({
      content: { text: 'Hello' },
      persona: { displayName: 'Ann', avatarUrl: ann.profile_image },
    });
    const long = { ...task, sender: { ...ann, display_name: '👍'.repeat(128) } };
    expect(taskContent(long, scriptedCapabilities).persona?.displayName).toBe('👍'.repeat(80));
    const without = { ...scriptedCapabilities, ops: ops('native', { persona_override: 'rejected' }) };
    expect(taskContent(task, without)).toEqual({ content: expect.objectContaining({ text: 'Ann: Hello' }) });
  });

  it.each([
    ['Ann\nBob: I owe you', 'Ann Bob: I owe you: Hello'],
    ['Ann\r\n\u2028\u2029\u0085x', 'Ann x: Hello'],
    ['\u202Eevil\u2066', 'evil: Hello'],
    [' \t\n', 'Unknown: Hello'],
    ['x'.repeat(128), `${'x'.repeat(128)}: Hello`],
    ['👩‍🚀'.repeat(3), `${'👩‍🚀'.repeat(3)}: Hello`],
  ])('never lets a name forge a second sender (%j)', (name, expected) => {
    const task = deliveryTask({ sender: { display_name: name, profile_image: null } });
    expect(taskContent(task, scriptedCapabilities).content.text).toBe(expected);
  });

  it('names files as their message does, without characters that platforms refuse in file names', () => {
    const file = { type: 'file' as const, url: 'https://a.example/media/x', mime_type: null, metadata: {} };
    const attachment = { ...deliveryTask().message.attachments[0], ...file, id: 'f1', size: 1 } as never;
    const named = (name: string | null) =>
      taskContent(
        deliveryTask({}, { attachments: [{ ...(attachment as object), name } as never] }),
        scriptedCapabilities,
      ).content.attachments[0]?.name;
    expect(named('a\r\nb.txt')).toBe('ab.txt');
    expect(named('../x/plan.pdf')).toBe('plan.pdf');
    expect([named('/'), named(null)]).toEqual([undefined, undefined]);
  });

  it('is read as Markdown only if it was declared as Markdown', () => {
    const text = '**Hi**';
    expect(taskContent(deliveryTask({}, { text }), scriptedCapabilities).content).toMatchObject({
      text,
      spans: [],
    });
    const { content } = taskContent(
      deliveryTask({}, { text, content_type: 'markdown' }),
      scriptedCapabilities,
    );
    expect(content).toMatchObject({ text: 'Hi', spans: [{ mark: 'bold', start: 0, end: 2 }] });
  });
});

const written = (parts: readonly KnownPart[]) => parts.filter(({ status }) => status === 'sent').length;

function bench(script: ScriptedPlatform['script'] = () => undefined, held = true) {
  const platform = new ScriptedPlatform();
  platform.script = script;
  const progress: number[] = [];
  const store = {
    progress: async (_task: unknown, parts: readonly KnownPart[]) => {
      progress.push(written(parts));
      return held;
    },
    assignChatId: async () => undefined,
  } as unknown as DeliveryStore;
  const connection = platform.find() as SendingConnection;
  const run = (task = deliveryTask({}, { text: 'a\nb\nc' }), gate?: Gate) =>
    runTask(task, connection, store, new AbortController().signal, gate);
  return { platform, connection, store, progress, run };
}

describe('a delivery task', () => {
  it('writes its parts in order and records each but the last', async () => {
    const { platform, run, progress } = bench();
    const { parts, failure } = await run();
    expect([platform.texts(), progress, failure]).toEqual([['a', 'b', 'c'], [1, 2], undefined]);
    expect(parts.map(({ index, status }) => [index, status])).toEqual([
      [0, 'sent'],
      [1, 'sent'],
      [2, 'sent'],
    ]);
  });

  it('skips the parts that an earlier attempt wrote', async () => {
    const { platform, run } = bench();
    const known = { index: 1, kind: 'text', status: 'sent', external_id: 'x' } as const;
    const { parts } = await run(deliveryTask({ parts: [known] }, { text: 'a\nb\nc' }));
    expect(platform.texts()).toEqual(['a', 'c']);
    expect(parts.find(({ index }) => index === 1)).toEqual(known);
  });

  it('stops when its lane was taken over, and records nothing', async () => {
    const { platform, run } = bench(undefined, false);
    expect(await run()).toMatchObject({ fenced: true, parts: [] });
    expect(platform.texts()).toEqual(['a']);
  });

  it('is retried for the rest when the database does not record a part', async () => {
    const { platform, connection } = bench();
    const store = { progress: () => Promise.reject(new Error('deadlock detected')) } as never;
    const task = deliveryTask({}, { text: 'a\nb' });
    const run = await runTask(task, connection, store, new AbortController().signal);
    expect(platform.texts()).toEqual(['a']);
    expect(resultOf(task, connection, run, new Date(), 0)).toMatchObject({
      outcome: 'retry',
      move: { to: 'queued' },
      parts: [
        { index: 0, status: 'sent' },
        { index: 1, status: 'pending' },
      ],
    });
  });

  it('stops before the next part when there is no capacity for it, and reports the wait', async () => {
    const { platform, run } = bench();
    const gate: Gate = {
      ...openGate,
      pass: async () => {
        if (platform.calls.length < 1) return true;
        throw problem({ kind: 'rate_limited', retryAfterMs: 500, scope: 'chat' });
      },
    };
    const { failure, parts } = await run(undefined, gate);
    expect([platform.texts(), written(parts)]).toEqual([['a'], 1]);
    expect(failure?.cause).toMatchObject({
      problem: { kind: 'rate_limited', retryAfterMs: 500 },
      dispatched: 'no',
    });
  });

  it('waits for its rate limit before it looks up an uncertain part', async () => {
    const { platform, connection, store } = bench();
    const task = deliveryTask(
      {
        operation: 'edit',
        in_doubt: { revision: 2, started_at: new Date().toISOString() },
        parts: [
          { index: 0, kind: 'text', status: 'sent', external_id: 'x' },
          { index: 1, kind: 'text', status: 'uncertain', external_id: null },
        ],
      },
      { text: 'a\nb', revision: 2 },
    );
    platform.lookups = [{ outcome: 'absent' }];
    const turns: (string | undefined)[] = [];
    const gate: Gate = {
      ...openGate,
      pass: async (_to, step) => {
        turns.push(step?.action);
        if (step === undefined) throw problem({ kind: 'rate_limited', retryAfterMs: 500, scope: 'account' });
        return true;
      },
    };
    const asking = { ...connection, uncertainPolicy: 'reconcile' as const };
    const { failure } = await runTask(task, asking, store, new AbortController().signal, gate);
    expect([turns, platform.lookups.length]).toEqual([['update', undefined], 1]);
    expect(failure?.cause).toMatchObject({ problem: { kind: 'rate_limited' } });
  });

  it('fails permanently when it needs more parts than the bridge sends', async () => {
    const { connection, run, platform } = bench();
    const { failure } = await run(deliveryTask({}, { text: '\n'.repeat(200) }));
    expect([failure?.cause, platform.calls]).toMatchObject([{ problem: { reason: 'too_long' } }, []]);
    const result = resultOf(
      deliveryTask(),
      connection,
      { parts: [], degradations: [], failure: failure! },
      new Date(),
      0,
    );
    expect(result).toMatchObject({ outcome: 'failed', move: { to: 'failed' } });
  });

  it('that the platform refused marks that part as failed, and those before as sent', async () => {
    const { connection, run } = bench((_call, number) => {
      if (number === 2) throw problem({ kind: 'rejected', reason: 'content_rejected' });
      return undefined;
    });
    const task = deliveryTask({}, { text: 'a\nb' });
    const result = resultOf(task, connection, await run(task), new Date(), 0);
    expect(result.parts.map(({ index, status }) => [index, status])).toEqual([
      [0, 'sent'],
      [1, 'failed'],
    ]);
    expect(result.move).toMatchObject({ to: 'failed' });
  });

  it('that failed in the middle of a create marks that part as uncertain', async () => {
    const { connection, run } = bench((_call, number) => {
      if (number === 2) throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
      return undefined;
    });
    const task = deliveryTask({}, { text: 'a\nb' });
    const result = resultOf(task, connection, await run(task), new Date(), 0);
    expect(result.parts.map(({ index, status }) => [index, status])).toEqual([
      [0, 'sent'],
      [1, 'uncertain'],
    ]);
    expect(result.move).toMatchObject({ to: 'uncertain', next_attempt_at: null });
  });
});

describe('the result of a task', () => {
  const { connection } = bench();
  const failed = (cause: unknown, step?: object) =>
    ({ parts: [], degradations: [], failure: { cause, step } }) as unknown as Run;
  const limited = problem({ kind: 'rate_limited', retryAfterMs: 5_000, scope: 'chat' });

  it('does not count an attempt when the platform asked to wait', () => {
    const now = new Date('2026-01-01T00:00:00.000Z');
    const { move, outcome } = resultOf(
      deliveryTask({ attempt_count: 3 }),
      connection,
      failed(limited),
      now,
      0,
    );
    expect([outcome, move?.attempt_count, move?.next_attempt_at]).toEqual([
      'waiting',
      2,
      '2026-01-01T00:00:05.000Z',
    ]);
  });

  it('of an edit or removal never changes the status of the delivery', () => {
    const gone = problem({ kind: 'rejected', reason: 'edit_expired' });
    const edit = deliveryTask({ operation: 'edit' }, { revision: 4 });
    expect(resultOf(edit, connection, failed(gone), new Date(), 0)).toMatchObject({
      move: null,
      change: { given_up: 4, degradations: ['edit'] },
    });
    const halfway = { ...(failed(gone) as object), hasWritten: true } as never;
    expect(resultOf(edit, connection, halfway, new Date(), 0).change).toEqual({
      revision: 4,
      tries: 0,
      degradations: ['edit'],
    });
    const removal = deliveryTask({ operation: 'delete' });
    expect(resultOf(removal, connection, failed(gone), new Date(), 0)).toMatchObject({
      change: { removal: 'failed' },
    });
    expect(resultOf(removal, connection, failed(limited), new Date(), 0).change).toHaveProperty(
      'next_attempt_at',
    );
  });

  it('names each degradation once', () => {
    const run = { parts: [], degradations: ['reply', 'reply', 'format.bold'] };
    const { move } = resultOf(deliveryTask(), connection, run, new Date(), 0);
    expect(move?.degradations).toEqual(['reply', 'format.bold']);
  });

  it('never sends marketing again by policy', () => {
    const repeating = { ...connection, uncertainPolicy: 'retry' as const };
    expect(policyFor(deliveryTask({}, { category: 'marketing' }), repeating)).toBe('hold');
    expect(policyFor(deliveryTask(), repeating)).toBe('retry');
  });
});

describe('a send whose earlier attempt may still take effect', () => {
  const lost = [{ index: 0, kind: 'text', status: 'uncertain', external_id: null }] as const;
  const again = deliveryTask({
    attempt_count: 2,
    parts: lost,
    in_doubt: { revision: 1, started_at: '2026-01-01T00:00:00.000Z' },
  });
  const sendAgain = async (
    lookups: ScriptedPlatform['lookups'],
    script?: ScriptedPlatform['script'],
    policy: 'reconcile' | 'hold' | 'retry' = 'reconcile',
  ) => {
    const { platform, connection, store } = bench();
    platform.lookups = lookups;
    if (script !== undefined) platform.script = script;
    const asking = { ...connection, uncertainPolicy: policy };
    const run = await runTask(again, asking, store, new AbortController().signal);
    const { outcome, move, parts } = resultOf(again, asking, run, new Date('2026-01-01T00:01:00.000Z'), 0.5);
    return { outcome, move, parts, texts: platform.texts() };
  };

  it('is looked up right before it is written again, and not written when it is found', async () => {
    const { move, parts, texts } = await sendAgain([{ outcome: 'found', remoteId: 'x' as never }]);
    expect([move?.to, parts[0]?.external_id, texts]).toEqual(['sent', 'x', []]);
  });

  it('is written again if the platform recognises it', async () => {
    const { move, texts } = await sendAgain([{ outcome: 'absent', resend: 'recognised' }]);
    expect([move?.to, texts.length]).toEqual(['sent', 1]);
  });

  it('is uncertain again, without counting an attempt, once the platform would not recognise it any more', async () => {
    const { move, outcome, parts, texts } = await sendAgain([{ outcome: 'absent' }]);
    expect([move?.to, outcome, move?.attempt_count, texts]).toEqual(['uncertain', 'waiting', 1, []]);
    expect(parts).toEqual(lost);
    expect(move?.next_attempt_at).toEqual(expect.any(String));
  });

  it('is held when the platform will never give a result', async () => {
    const { move, texts } = await sendAgain([{ outcome: 'undecidable' }]);
    expect([move?.to, move?.next_attempt_at, texts]).toEqual(['uncertain', null, []]);
  });

  it.each([
    ['the platform asks to wait', problem({ kind: 'rate_limited', retryAfterMs: 5_000, scope: 'chat' }), 1],
    ['it certainly wrote nothing', problem({ kind: 'unavailable', cause: 'network' }), 2],
  ])(
    'is uncertain again when %s: the next attempt may come too late to be recognised',
    async (_, cause, tries) => {
      const { move } = await sendAgain([{ outcome: 'absent', resend: 'recognised' }], () => {
        throw cause;
      });
      expect([move?.to, move?.attempt_count]).toEqual(['uncertain', tries]);
      expect(move?.next_attempt_at).toEqual(expect.any(String));
    },
  );

  it('is written again without a lookup by the policy retry', async () => {
    const { move, texts } = await sendAgain([], undefined, 'retry');
    expect([move?.to, texts.length]).toEqual(['sent', 1]);
  });
});

describe('the lookup of a lost message', () => {
  const ask = (
    answers: ScriptedPlatform['lookups'],
    task = deliveryTask({ operation: 'reconcile' }, { text: 'a\nb' }),
  ) => {
    const { platform, connection, store } = bench();
    platform.lookups = answers;
    const noticed: unknown[] = [];
    const asking = { ...connection, uncertainPolicy: 'reconcile' as const };
    const onFailure = async (cause: unknown) => void noticed.push(cause);
    return reconcile(task, asking, store, { gate: openGate, onFailure }).then((result) => {
      if (result === undefined) throw new Error('The lane was taken over.');
      return { ...result, noticed, unasked: platform.lookups.length };
    });
  };
  const found = (remoteId: string) => ({ outcome: 'found', remoteId: remoteId as never }) as const;

  const afterFirstPart = (more: Partial<DeliveryTask> = {}) =>
    deliveryTask(
      {
        operation: 'reconcile',
        parts: [{ index: 0, kind: 'text', status: 'sent', external_id: '1' }],
        ...more,
      },
      { text: 'a\nb' },
    );

  it('results in a sent message when the uncertain part is found and no other is missing', async () => {
    const { move, parts } = await ask([found('2')], afterFirstPart());
    expect([move?.to, move?.resolution, parts.map(({ external_id }) => external_id)]).toEqual([
      'sent',
      'reconciled',
      ['2'],
    ]);
  });

  it('reports the degradations of a message whose worker died before it recorded them', async () => {
    const { move } = await ask([found('2')], afterFirstPart({ thread: { root_external_id: null } }));
    expect(move?.degradations).toEqual(['thread']);
  });

  it('continues after a found part without a lookup of the later ones, which were never sent', async () => {
    const { move, parts, unasked } = await ask([found('1'), { outcome: 'undecidable' }]);
    expect([move?.to, parts.length, unasked]).toEqual(['queued', 1, 1]);
  });

  it('sends nothing again while a message is not found yet: the request may still be in progress', async () => {
    const { move, change } = await ask([{ outcome: 'absent' }]);
    expect(move).toBeNull();
    expect(Date.parse(change?.next_attempt_at ?? '')).toBeGreaterThan(Date.now());
  });

  it('sends a permanently absent part again, and records that no part is uncertain', async () => {
    const { move, parts } = await ask([{ outcome: 'absent', resend: 'settled' }], afterFirstPart());
    expect([move?.to, parts]).toEqual([
      'queued',
      [{ index: 1, kind: 'text', status: 'removed', external_id: null }],
    ]);
  });

  it('sends a part again that the platform would recognise, and records that it is still uncertain', async () => {
    const { move, parts } = await ask([{ outcome: 'absent', resend: 'recognised' }], afterFirstPart());
    expect([move?.to, parts]).toEqual([
      'queued',
      [{ index: 1, kind: 'text', status: 'uncertain', external_id: null }],
    ]);
  });

  it.each(['settled', 'recognised'] as const)(
    'continues after the last attempt, which may still take effect, although the absence is %s',
    async (resend) => {
      const spent = deliveryTask({ operation: 'reconcile', attempt_count: 5 });
      const { move, change } = await ask([{ outcome: 'absent', resend }], spent);
      expect(move).toBeNull();
      expect(change?.next_attempt_at).toEqual(expect.any(String));
    },
  );

  it('never repeats a deleted message that may still appear, and continues so that it can be removed', async () => {
    const deleted = deliveryTask({ operation: 'reconcile' }, { deleted: true });
    expect((await ask([{ outcome: 'absent', resend: 'recognised' }], deleted)).move).toBeNull();
    expect((await ask([{ outcome: 'absent', resend: 'settled' }], deleted)).move?.to).toBe('queued');
  });

  it('holds it when its outcome stays unknown', async () => {
    expect(await ask([{ outcome: 'undecidable' }])).toMatchObject({
      move: null,
      change: { next_attempt_at: null },
    });
  });

  it('is repeated later when it fails, not before the platform allows it, with the reason', async () => {
    const limited = problem({ kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' });
    const { change, noticed } = await ask([limited]);
    expect(Date.parse(change?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(55_000);
    expect(noticed).toEqual([limited]);
  });

  const waitAfter = async (answer: Error | LookupResult, uncertainForMs = 0) => {
    const uncertain_at = new Date(Date.now() - uncertainForMs).toISOString();
    const { move, change } = await ask([answer], deliveryTask({ operation: 'reconcile', uncertain_at }));
    expect(move).toBeNull();
    const at = change?.next_attempt_at;
    return typeof at === 'string' ? Math.round((Date.parse(at) - Date.now()) / 1_000) : null;
  };

  it('is repeated after as long as the message has been missing, but at least every ten minutes', async () => {
    const absent = { outcome: 'absent' } as const;
    expect(await waitAfter(absent)).toBe(10);
    expect(await waitAfter(absent, 90_000)).toBe(90);
    expect(await waitAfter(absent, 80_000_000)).toBe(600);
  });

  it('becomes rarer the longer the platform has no result', async () => {
    const down = problem({ kind: 'unavailable', cause: 'platform_down' });
    expect(await waitAfter(down)).toBe(10);
    expect(await waitAfter(down, 90_000)).toBe(90);
    expect(await waitAfter(down, 80_000_000)).toBe(600);
  });

  it('holds the message at once when the platform will never have a result', async () => {
    expect(await waitAfter(problem({ kind: 'rejected', reason: 'forbidden' }))).toBeNull();
  });
});

describe('task results that are stored in batches', () => {
  it('are combined while a transaction is running, and a bad result fails alone', async () => {
    const groups: number[] = [];
    let release: () => void = () => undefined;
    const store = {
      settle: async (results: readonly TaskResult[]) => {
        groups.push(results.length);
        if (groups.length === 1) {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        }
        if (results.some(({ delivery_id }) => delivery_id === 'bad')) throw new Error('refused');
      },
    } as unknown as DeliveryStore;
    const settlements = new ResultBatcher(store, 3);
    const add = (delivery_id: string) => settlements.add({ delivery_id } as TaskResult);
    const first = add('first');
    await expect.poll(() => groups).toEqual([1]);
    const rest = Promise.allSettled(['a', 'bad', 'b', 'c'].map(add));
    release();
    await first;
    expect((await rest).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(groups.slice(0, 2)).toEqual([1, 3]);
  });

  it('wait for the end of a database outage, so that the platform’s response is not lost', async () => {
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const asked: string[][] = [];
    const store = {
      settle: async (results: readonly TaskResult[]) => {
        asked.push(results.map(({ delivery_id }) => delivery_id));
        if (asked.length === 1) throw away;
      },
    } as unknown as DeliveryStore;
    await new ResultBatcher(store).add({ delivery_id: 'written' } as TaskResult);
    expect(asked).toEqual([['written'], ['written']]);
  });

  it('fail together after their time limit if the database stays unavailable', async () => {
    const groups: number[] = [];
    const store = {
      settle: async (results: readonly TaskResult[]) => {
        groups.push(results.length);
        throw Object.assign(new Error('the database system is starting up'), { code: '57P03' });
      },
    } as unknown as DeliveryStore;
    const settlements = new ResultBatcher(store, 3, 300);
    const ended = await Promise.allSettled(
      ['a', 'b'].map((delivery_id) => settlements.add({ delivery_id } as TaskResult)),
    );
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(new Set(groups)).toEqual(new Set([2]));
  });
});
