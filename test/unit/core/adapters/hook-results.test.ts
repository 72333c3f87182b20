import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Adapter,
  PlatformError,
  type PlatformProblem,
  type Receipt,
} from '../../../../src/contract/index.js';
import { AdapterDefect } from '../../../../src/core/adapters/hook-runner.js';
import { guarded as guardedAdapter, GUARDED_SECRET as SECRET } from '../../../support/guarded.js';
import { scriptedCapabilities } from '../../../support/scripted-platform.js';

let reports: string[];
beforeEach(() => {
  reports = [];
});

const guarded = (over: object) => guardedAdapter(over as Partial<Adapter>, reports);
const signal = new AbortController().signal;
const context = { to: { chatId: 'x' }, key: 'k', signal } as never;
const step = { action: 'create', index: 0, kind: 'text', payload: {} };
const caught = async (call: () => unknown) => {
  try {
    return await call();
  } catch (cause) {
    return cause;
  }
};
const written = (receipt: unknown) => guarded({ execute: async () => receipt }).execute({} as never, context);

const planned = (plan: unknown) => guarded({ plan: () => plan }).plan({} as never, scriptedCapabilities);
const steps = (...changes: object[]) => ({
  steps: changes.map((change) => ({ ...step, ...change })),
  degradations: [],
});
const rated = (rate: unknown) => guarded({ rate: () => rate }).rate?.({} as never, {} as never);
const bucket = { key: 'chat:1', scope: 'chat', count: 1, perMs: 1000 };
const looked = (result: unknown) => guarded({ lookup: async () => result }).lookup?.({} as never);
const opened = (id: unknown) => guarded({ openDirect: async () => id }).openDirect?.('a');
const identified = (identity: unknown) => guarded({ identify: async () => identity }).identify();
const fetched = (media: unknown) => guarded({ openMedia: async () => media }).openMedia?.('r', signal);
const answered = (response: unknown) =>
  guarded({ handle: async () => response }).handle?.(new Request('https://a.example'));

describe('a result of a hook that breaks the contract', () => {
  it.each([
    ['execute', 'receipt is missing', () => written(undefined)],
    ['execute', 'remoteId', () => written({ remoteId: 42 })],
    ['execute', 'remoteId', () => written({ remoteId: '' })],
    ['execute', 'remoteId', () => written({ remoteId: 'a\u0000b' })],
    ['execute', 'remoteId', () => written({ remoteId: 'a\ud800' })],
    ['execute', 'remoteId', () => written({ remoteId: 'x'.repeat(1_001) })],
    ['execute', 'otherIds', () => written({ remoteId: 'm', otherIds: 7 })],
    ['execute', 'threadId', () => written({ remoteId: 'm', threadId: 5 })],
    ['execute', 'chatId', () => written({ remoteId: 'm', chatId: {} })],
    ['plan', 'plan is missing', () => planned(undefined)],
    ['plan', 'steps', () => planned({ degradations: [] })],
    ['plan', 'steps', () => planned(Promise.resolve(steps({})))],
    ['plan', 'degradations', () => planned({ ...steps({}), degradations: 'reply' })],
    ['plan', 'steps.0.index', () => planned(steps({ index: -1 }))],
    ['plan', 'steps.0.index', () => planned(steps({ index: 0.5 }))],
    ['plan', 'steps.0.index', () => planned(steps({ index: 40_000 }))],
    ['plan', 'steps.0.kind', () => planned(steps({ kind: 'banana' }))],
    ['plan', 'steps.0.action', () => planned(steps({ action: 'explode' }))],
    ['plan', 'steps.0.targetId', () => planned(steps({ action: 'update' }))],
    ['plan', 'steps.1.index', () => planned(steps({}, {}))],
    ['plan', 'steps.0.index', () => planned(steps({ others: [{ index: 0, kind: 'media' }] }))],
    ['rate', 'buckets', () => rated({ cost: 1 })],
    ['rate', 'cost', () => rated({ cost: Number.NaN, buckets: [] })],
    ['rate', 'buckets.0.count', () => rated({ buckets: [{ ...bucket, count: 0 }] })],
    ['rate', 'buckets.0.perMs', () => rated({ buckets: [{ ...bucket, perMs: Infinity }] })],
    ['rate', 'buckets.0.key', () => rated({ buckets: [{ ...bucket, key: 'k\u0000' }] })],
    ['lookup', 'result is missing', () => looked(undefined)],
    ['lookup', 'outcome', () => looked({ outcome: 'perhaps' })],
    ['lookup', 'remoteId', () => looked({ outcome: 'found' })],
    ['lookup', 'resend', () => looked({ outcome: 'absent', resend: true })],
    ['openDirect', 'chat id is missing', () => opened(undefined)],
    ['openDirect', 'chat id is missing', () => opened(5)],
    ['identify', 'externalId', () => identified({ name: 'Bot' })],
    ['openMedia', 'body', () => fetched({ body: 'text' })],
    ['openMedia', 'mimeType', () => fetched({ body: new Blob([]).stream(), mimeType: 5 })],
    ['handle', 'response is missing', () => answered('OK')],
  ])('is a defect that names the hook and the field: %s, %s', async (hook, field, call) => {
    const cause = await caught(call);
    expect(cause).toBeInstanceOf(AdapterDefect);
    expect((cause as Error).message).toMatch(new RegExp(`^The adapter alpha failed in its hook ${hook}: `));
    expect((cause as Error).message).toContain(field);
    expect(reports).toEqual([`${hook}: ${(cause as Error).message}`]);
  });

  it('does not change what was written if only its rates or degradations are wrong', async () => {
    const rates = [
      { key: 'k', remaining: 1, resetAfterMs: Number.NaN },
      { key: 'k', remaining: 1, resetAfterMs: 5 },
    ];
    const receipt = { remoteId: 'm', rates, degradations: ['reply', 5] } as unknown as Receipt;
    expect(await written(receipt)).toEqual({ remoteId: 'm', rates: [rates[1]], degradations: ['reply'] });
    expect(reports.slice(1)).toEqual([
      'execute: The adapter alpha failed in its hook execute: Its receipt has wrong degradations, which are ignored.',
      'execute: The adapter alpha failed in its hook execute: Its receipt has wrong rates, which are ignored.',
    ]);
  });

  it('may leave out what is optional', async () => {
    expect(await written({})).toEqual({});
    expect(rated(undefined)).toBeUndefined();
    expect(await looked({ outcome: 'absent' })).toEqual({ outcome: 'absent' });
    expect(planned(steps({ action: 'signal' }, { action: 'signal' })).steps).toHaveLength(2);
    expect(reports).not.toContainEqual(expect.stringContaining('failed'));
  });
});

describe('an error of a hook', () => {
  const raised = (cause: unknown) =>
    caught(() =>
      guarded({ execute: async () => Promise.reject(cause) }).execute({} as never, context),
    ) as Promise<Error>;
  const error = (problem: object, options: object = {}) =>
    new PlatformError(problem as PlatformProblem, { dispatched: 'no', message: 'm', ...options });

  it.each([
    ['problem.kind', error({ kind: 'nonsense' })],
    ['problem.reason', error({ kind: 'rejected', reason: SECRET })],
    ['problem.cause', error({ kind: 'unavailable', cause: 'bad luck' })],
    ['problem.scope', error({ kind: 'rate_limited', retryAfterMs: 5, scope: 'galaxy' })],
    ['problem.toChatId', error({ kind: 'moved' })],
    ['dispatched', error({ kind: 'unauthorized' }, { dispatched: 'maybe' })],
  ])('is a defect if it is a PlatformError with another %s than the contract has', async (field, cause) => {
    const { message } = await raised(cause);
    expect(message).toBe(
      `The adapter alpha failed in its hook execute: Its PlatformError has a wrong or missing ${field}.`,
    );
  });

  it.each([[{ message: SECRET, token: SECRET }], [null], [undefined], [7]])(
    'is a defect without the thrown value if that is no error: %j',
    async (thrown) => {
      const cause = await raised(thrown);
      expect(cause).toBeInstanceOf(AdapterDefect);
      expect(cause.message).toContain('A value was thrown that is not an Error.');
      expect(JSON.stringify([cause, cause.cause])).not.toContain(SECRET);
    },
  );

  it('has texts of at most 2,000 characters, which the database can store', async () => {
    const emoji = '😀'.repeat(2_000);
    const cause = (await raised(
      error({ kind: 'unauthorized' }, { message: `a\u0000${emoji}`, code: `b${emoji}`, fix: `c${emoji}` }),
    )) as PlatformError;
    for (const text of [cause.message, cause.code ?? '', cause.fix ?? '']) {
      expect(text.length).toBeLessThanOrEqual(2_000);
      expect(text.isWellFormed() && !text.includes('\u0000')).toBe(true);
    }
  });

  it('is not reported if the bridge itself has ended the call', async () => {
    const stopped = AbortSignal.abort();
    const adapter = guarded({ execute: async () => stopped.throwIfAborted() });
    const cause = await caught(() => adapter.execute({} as never, { signal: stopped } as never));
    expect((cause as Error).name).toBe('AbortError');
    expect(reports).toEqual([]);
  });
});

describe('the response of handle', () => {
  it('is read within the time limit of the hook, up to its maximum size', async () => {
    const endless = new ReadableStream({ pull: (queue) => queue.enqueue(new Uint8Array(65_536)) });
    const cause = await caught(() => answered(new Response(endless)));
    expect((cause as Error).message).toContain('Its response has more than 1048576 bytes.');
    const body = new Uint8Array([0, 255, 1]);
    const response = await answered(new Response(body, { headers: { 'x-proof': SECRET } }));
    expect(new Uint8Array((await response?.arrayBuffer()) ?? [])).toEqual(body);
    expect(response?.headers.get('x-proof')).toBe(SECRET);
  });

  it('contains no secret in the headers of an error', async () => {
    const response = await answered(
      new Response('no', { status: 403, headers: { 'x-why': `key ${SECRET}` } }),
    );
    expect(response?.headers.get('x-why')).toBe('key ***');
  });
});
