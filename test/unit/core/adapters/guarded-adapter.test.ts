import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Adapter, type InboundEvent, PlatformError } from '../../../../src/contract/index.js';
import { AdapterDefect, HOOK_LIMITS_MS, HookOverdue } from '../../../../src/core/adapters/hook-runner.js';
import { guarded as guardedAdapter, GUARDED_SECRET as SECRET } from '../../../support/guarded.js';
import { scriptedCapabilities } from '../../../support/scripted-platform.js';

let troubles: string[];
beforeEach(() => {
  vi.useFakeTimers();
  troubles = [];
});
afterEach(() => vi.useRealTimers());

const guarded = (over: Partial<Adapter>) => guardedAdapter(over, troubles);

const never = () => new Promise<never>(() => undefined);
const envelope = { dedupeKey: 'k', lane: 'l', payload: null };
const abroad = { to: { chatId: 'x' }, key: 'k', signal: new AbortController().signal } as never;

describe('a hook that hangs', () => {
  it.each([
    ['identify', (a: Adapter) => a.identify()],
    ['checkIngress', (a: Adapter) => a.checkIngress?.()],
    ['start', (a: Adapter) => a.start()],
    ['stop', (a: Adapter) => a.stop()],
    ['handle', (a: Adapter) => a.handle?.(new Request('https://a.example'))],
    ['openMedia', (a: Adapter) => a.openMedia?.('ref', new AbortController().signal)],
  ] as const)('is given up with an error that names it: %s', async (hook, call) => {
    const failure = Promise.resolve(call(guarded({ [hook]: never }))).catch((cause: unknown) => cause);
    await vi.advanceTimersByTimeAsync(HOOK_LIMITS_MS[hook]);
    const cause = await failure;
    expect(cause).toBeInstanceOf(HookOverdue);
    expect((cause as Error).message).toMatch(
      new RegExp(`adapter alpha did not respond within \\d+ s in its hook ${hook}`),
    );
    expect(troubles).toEqual([`${hook}: ${(cause as Error).message}`]);
  });

  it('is reported when it continues after its signal was aborted', async () => {
    const stop = new AbortController();
    void guarded({ execute: never }).execute(
      {} as never,
      { ...(abroad as object), signal: stop.signal } as never,
    );
    stop.abort();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(troubles).toEqual([
      'execute: The adapter alpha does not end calls that took too long in its hook execute.',
    ]);
  });
});

describe('a hook that fails without a PlatformError', () => {
  const broken = () => {
    throw new TypeError(`x is undefined near ${SECRET}`);
  };

  it.each([
    ['identify', (a: Adapter) => a.identify()],
    ['start', (a: Adapter) => a.start()],
    ['decode', async (a: Adapter) => a.decode(envelope)],
    ['plan', async (a: Adapter) => a.plan({} as never, scriptedCapabilities)],
  ] as const)('is a defect that names the adapter, without secrets: %s', async (hook, call) => {
    const cause = await call(guarded({ [hook]: broken })).catch((thrown: unknown) => thrown);
    expect(cause).toBeInstanceOf(AdapterDefect);
    expect((cause as Error).message).toBe(
      `The adapter alpha failed in its hook ${hook}: x is undefined near ***`,
    );
    expect(((cause as Error).cause as Error).stack).not.toContain(SECRET);
    expect(troubles).toHaveLength(1);
  });

  it('can return narrower capabilities than declared, and each table is checked once', () => {
    const narrow = { ...scriptedCapabilities, text: { ...scriptedCapabilities.text, max: 100 } };
    const adapter = guarded({ capabilities: () => narrow });
    expect(adapter.capabilities()).toBe(narrow);
    expect(adapter.capabilities()).toBe(narrow);
    expect(new Set(troubles)).toEqual(new Set(['capabilities fine']));
  });

  it.each([
    ['edit.media', { ...scriptedCapabilities, edit: { max_age_s: null, max_count: null, media: true } }],
    ['text, ops or media', 'everything'],
  ])(
    'keeps the declared capabilities if it returns wider or wrong ones, and the cell is reported: %s',
    (cell, claimed) => {
      expect(guarded({ capabilities: () => claimed as never }).capabilities()).toEqual(scriptedCapabilities);
      expect(troubles[0]).toMatch(
        new RegExp(`The adapter alpha failed in its hook capabilities: Its ${cell} is wrong, or wider`),
      );
    },
  );

  it('keeps the capabilities as they were declared', () => {
    expect(guarded({ capabilities: broken }).capabilities()).toEqual(scriptedCapabilities);
    expect(troubles).toHaveLength(1);
  });

  it('is a failure of a write like any other, with its text cleaned', async () => {
    const cause = await guarded({ execute: async () => broken() })
      .execute({} as never, abroad)
      .catch((thrown: unknown) => thrown);
    expect(cause).not.toBeInstanceOf(PlatformError);
    expect((cause as Error).message).toBe(
      'The adapter alpha failed in its hook execute: x is undefined near ***',
    );
  });
});

describe('the output of an adapter', () => {
  it('contains no secret in links, metadata, failures, gaps and kinds of events, and keeps the texts of people', () => {
    const chat = { id: 'c', kind: 'direct' };
    const events = [
      {
        type: 'message',
        chat,
        messageId: 'm',
        sender: { id: 'u' },
        at: '2026-01-01T00:00:00.000Z',
        content: {
          text: `my password is ${SECRET}`,
          spans: [],
          attachments: [
            { type: 'file', url: `https://files.example/bot${SECRET}/1`, metadata: { n: 1, key: SECRET } },
          ],
        },
      },
      {
        type: 'receipt',
        chat,
        at: '2026-01-01T00:00:00.000Z',
        messageId: 'm',
        status: 'failed',
        failure: { reason: 'forbidden', code: SECRET, message: SECRET },
      },
      { type: 'gap', since: '2026-01-01T00:00:00.000Z', reason: `lost ${SECRET}` },
      { type: 'unsupported', what: `update.${SECRET}` },
    ] as unknown as InboundEvent[];
    const [message, ...rest] = guarded({ decode: () => events }).decode(envelope);
    expect(message).toMatchObject({
      content: {
        text: `my password is ${SECRET}`,
        attachments: [{ url: 'https://files.example/bot***/1', metadata: { n: 1, key: '***' } }],
      },
    });
    expect(JSON.stringify(rest)).not.toContain(SECRET);
  });

  it('contains no secret in degradations, file names, error responses and errors of media streams', async () => {
    const adapter = guarded({
      plan: () => ({ steps: [], degradations: [`no.${SECRET}` as never] }),
      execute: async () => ({ degradations: [SECRET as never] }),
      handle: async () => new Response(`no: ${SECRET}`, { status: 500 }),
      openMedia: async () => ({ body: failing(), name: `${SECRET}.txt` }),
    });
    expect(adapter.plan({} as never, scriptedCapabilities).degradations).toEqual(['no.***']);
    expect(await adapter.execute({} as never, abroad)).toEqual({ degradations: ['***'] });
    expect(await (await adapter.handle?.(new Request('https://a.example')))?.text()).toBe('no: ***');
    const media = await adapter.openMedia?.('r', new AbortController().signal);
    expect(media?.name).toBe('***.txt');
    const read = async () => {
      for await (const _ of media?.body ?? []);
    };
    await expect(read()).rejects.toThrow('lost ***');
  });
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
  throw new Error(`lost ${SECRET}`);
}

describe('an invalid result of decode', () => {
  const place = { chat: { id: 'c', kind: 'group' }, at: '2026-03-01T10:00:00.000Z' };
  const message = {
    ...place,
    type: 'message',
    messageId: 'm',
    sender: { id: 'u' },
    content: { text: 'Hello', spans: [], attachments: [] },
  };
  const decoded = (event: unknown, changes: object = {}) =>
    guarded({ decode: () => [event as InboundEvent] }).decode({ ...envelope, ...changes });

  it.each([
    ['chat.id', { ...message, chat: {} }],
    ['at', { ...message, at: 1_772_359_200 }],
    ['messageId', { ...message, messageId: 7 }],
    ['sender.id', { ...message, sender: {} }],
    ['content.text', { ...message, content: {} }],
    ['content.spans', { ...message, content: { text: '' } }],
    ['content.attachments', { ...message, content: { text: '', spans: [] } }],
    ['emoji', { ...place, type: 'reaction', messageId: 'm', sender: { id: 'u' }, change: 'added' }],
    ['authority', { ...message, type: 'message_edited' }],
    ['authority', { ...place, type: 'message_deleted', messageId: 'm', authority: 'owner' }],
    ['actor', { ...place, type: 'message_deleted', messageId: 'm', authority: 'author' }],
    ['actor.id', { ...place, type: 'reactions_cleared', messageId: 'm', authority: 'author', actor: {} }],
    ['type', null],
  ])('is refused with the name of the adapter and of the field: %s', (field, event) => {
    expect(() => decoded(event)).toThrow(
      new RegExp(
        `The adapter alpha failed in its hook decode: .* wrong or missing ${field.replace('.', '\\.')}`,
      ),
    );
  });

  it('is refused for an envelope whose key is longer than 200 characters', () => {
    expect(() => decoded(message, { dedupeKey: 'k'.repeat(201) })).toThrow(/alpha.*dedupeKey/);
    expect(decoded(message, { dedupeKey: 'k'.repeat(200) })).toHaveLength(1);
  });
});
