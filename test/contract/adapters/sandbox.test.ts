import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxDefinition } from '../../../adapters/sandbox/definition.js';
import {
  type Adapter,
  type InboundEvent,
  type PartStep,
  PlatformError,
  plainContent,
  remoteChatId,
} from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';

let host: RecordingHost;
let adapter: Adapter;

beforeEach(async () => {
  host = new RecordingHost();
  adapter = await create(host);
});
afterEach(() => adapter.stop());

function create(forHost: RecordingHost): Promise<Adapter> {
  const settings = { api_base_url: sandboxDefinition.defaultApiBaseUrl, ingress: 'poll' } as const;
  return sandboxDefinition.create({ credentials: {}, settings }, forHost);
}

const key = 'a'.repeat(32);

function stepTo(
  address: string,
  text = 'Hello',
): { step: PartStep; to: { chatId: ReturnType<typeof remoteChatId> } } {
  const to = { chatId: remoteChatId(address) };
  const { steps } = adapter.plan({ type: 'send', to, content: plainContent(text) }, adapter.capabilities());
  return { step: steps[0] as PartStep, to };
}

function send(address: string, text?: string, on: Adapter = adapter) {
  const { step, to } = stepTo(address, text);
  return on.execute(step, { to, key, signal: new AbortController().signal });
}

async function failure(attempt: Promise<unknown>): Promise<PlatformError> {
  const error = await attempt.then(
    () => undefined,
    (raised: unknown) => raised,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
}

function lookup(address: string) {
  const { step, to } = stepTo(address);
  return adapter.lookup?.({ to, key, step, startedAt: new Date().toISOString() });
}

const events = (): readonly InboundEvent[] => host.envelopes.flatMap((envelope) => adapter.decode(envelope));
const receipts = () => events().flatMap((event) => (event.type === 'receipt' ? [event.status] : []));
const answers = () => events().flatMap((event) => (event.type === 'message' ? [event.content.text] : []));

describe('a message to a sandbox address', () => {
  it.each(['deliver', 'deliver+17', 'anybody', '+14155550100'])(
    'to "%s" is sent, then delivered, then read',
    async (address) => {
      const started = Date.now();
      expect(await send(address)).toEqual({ remoteId: key });
      await host.until(() => receipts().length === 1);
      expect(Date.now() - started).toBeGreaterThanOrEqual(190);
      await host.until(() => receipts().length === 2);
      expect(Date.now() - started).toBeGreaterThanOrEqual(390);
      expect(receipts()).toEqual(['delivered', 'read']);
      expect(events()).toMatchObject([{ messageId: key, chat: { id: address } }, { messageId: key }]);
    },
  );

  it('to "sent" is sent without further events', async () => {
    await send('sent');
    await send('deliver');
    await host.until(() => receipts().includes('read'));
    expect(events().every((event) => event.type === 'receipt' && event.chat.id === 'deliver')).toBe(true);
  });

  it.each([
    ['fail', 'content_rejected'],
    ['gone', 'recipient_gone'],
    ['block', 'blocked_by_recipient'],
    ['fail+2', 'content_rejected'],
  ])('to "%s" is refused permanently: %s', async (address, reason) => {
    for (const attempt of [1, 2]) {
      const { problem, dispatched } = await failure(send(address));
      expect([attempt, problem, dispatched]).toEqual([attempt, { kind: 'rejected', reason }, 'no']);
    }
  });

  it('to "late" is sent and fails afterwards', async () => {
    expect(await send('late')).toEqual({ remoteId: key });
    await host.until(() => receipts().length === 1);
    expect(events()).toMatchObject([{ status: 'failed', failure: { reason: 'platform_error' } }]);
  });

  it('to "flaky" fails transiently once, certainly unwritten, then is sent and read', async () => {
    const { problem, dispatched } = await failure(send('flaky'));
    expect([problem.kind, dispatched]).toEqual(['unavailable', 'no']);
    expect(await send('flaky')).toEqual({ remoteId: key });
    await host.until(() => receipts().includes('read'));
  });

  it('to "flaky" succeeds within two attempts of a restarted process', async () => {
    await failure(send('flaky'));
    const restarted = await create(host);
    await failure(send('flaky', 'Hello', restarted));
    expect(await send('flaky', 'Hello', restarted)).toEqual({ remoteId: key });
    await restarted.stop();
  });

  it('to "ratelimit" is rate limited with a wait of 2 s, then is sent', async () => {
    const { problem, dispatched } = await failure(send('ratelimit'));
    expect(problem).toEqual({ kind: 'rate_limited', retryAfterMs: 2_000, scope: 'chat' });
    expect(dispatched).toBe('no');
    expect(await send('ratelimit')).toEqual({ remoteId: key });
  });

  it.each([
    ['uncertain', { outcome: 'found', remoteId: key }],
    ['unknown', { outcome: 'undecidable' }],
    ['deliver', { outcome: 'absent', resend: 'recognised' }],
  ])('to "%s" that may have been lost is looked up as %o', async (address, result) => {
    if (address !== 'deliver') {
      const { problem, dispatched } = await failure(send(address));
      expect([problem.kind, dispatched]).toEqual(['unavailable', 'unknown']);
    }
    expect(await lookup(address)).toEqual(result);
  });

  it.each([
    ['echo', 'Good morning'],
    ['stop', 'STOP'],
    ['start', 'START'],
  ])('to "%s" is delivered and read, then answered with "%s"', async (address, answer) => {
    await send(address, 'Good morning');
    await host.until(() => answers().length === 1);
    expect(answers()).toEqual([answer]);
    expect(receipts()).toEqual(['delivered', 'read']);
    expect(events().at(-1)).toMatchObject({ sender: { id: address }, messageId: `${key}.answer` });
  });

  it('that is written twice with one key has one set of events', async () => {
    await send('echo');
    await send('echo');
    await host.until(() => host.received === 6);
    expect(host.envelopes).toHaveLength(3);
  });
});

describe('a live sandbox', () => {
  it('reports its identity and its health', async () => {
    expect(await adapter.identify()).toEqual({ externalId: 'sandbox', name: 'Sandbox' });
    await adapter.start();
    await adapter.start();
    expect(host.reports.at(-1)?.code).toBe('ok');
  });

  it('accepts changes and removals of any part', async () => {
    const { step, to } = stepTo('deliver');
    const context = { to, key, signal: new AbortController().signal };
    for (const action of ['update', 'remove'] as const) {
      const receipt = await adapter.execute({ ...step, action, targetId: 'p0' as never }, context);
      expect(receipt).toEqual({ remoteId: 'p0' });
    }
    expect(host.received).toBe(0);
  });

  it('leaves no timer when it is stopped, and can be stopped twice', async () => {
    await send('echo');
    await adapter.stop();
    await adapter.stop();
    const other = await create(host);
    await send('deliver', 'Hello', other);
    await host.until(() => receipts().includes('read'));
    await other.stop();
    expect(host.received).toBe(2);
  });

  it('continues after a failure of the store', async () => {
    host.failure = new Error('no database');
    await send('late');
    await host.until(() => host.received === 1);
    host.failure = undefined;
    expect(await send('sent')).toEqual({ remoteId: key });
  });
});
