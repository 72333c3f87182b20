import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { DiscordSimulatorOptions } from '../../../adapters/discord/simulator/index.js';
import { type Adapter, type PartStep, PlatformError, remoteChatId } from '../../../src/contract/index.js';
import { context, DiscordBench, newKey, sendTo } from '../../support/discord.js';

const CREATE = 'POST /channels/:id/messages';
let bench: DiscordBench;
let adapter: Adapter;
const open = async (options: DiscordSimulatorOptions = { limits: 'none' }) => {
  bench = await DiscordBench.open(options);
  adapter = await bench.adapter();
};
afterEach(() => bench.close());

const visible = (chatId: string) => bench.simulator.messages(chatId).filter(({ deleted }) => !deleted);
const failure = async (attempt: Promise<unknown>): Promise<PlatformError> => {
  const error: unknown = await attempt.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
};
const firstStep = (text: string): PartStep =>
  adapter.plan(sendTo(bench.chat(), text), adapter.capabilities()).steps[0] as PartStep;

describe('rate limits of Discord', () => {
  it('are reported with their wait, at once and without another request, while other chats continue', async () => {
    await open({ limits: 'documented' });
    for (let sent = 0; sent < 5; sent += 1) await bench.send(adapter, bench.chat(), `${sent}`);
    const error = await failure(bench.send(adapter, bench.chat(), 'too fast'));
    expect(error).toMatchObject({ dispatched: 'no', problem: { kind: 'rate_limited', scope: 'chat' } });
    expect(error.problem.kind === 'rate_limited' && error.problem.retryAfterMs).toBeGreaterThan(3_000);
    expect(bench.count(CREATE)).toBe(5);
    await bench.send(adapter, bench.chat(1), 'elsewhere');
    expect(visible(bench.chat(1))).toHaveLength(1);
  });

  it('of a 429 response are reported with their wait, and do not block the next call', async () => {
    await open();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'rate_limited', retryAfterMs: 7_500 } });
    const error = await failure(bench.send(adapter, bench.chat(), 'x'));
    expect(error.problem).toEqual({ kind: 'rate_limited', retryAfterMs: 7_550, scope: 'chat' });
    expect(visible(bench.chat())).toEqual([]);
    await bench.send(adapter, bench.chat(), 'x');
    expect(bench.count(CREATE)).toBe(2);
  });

  it('that end at a date are reported with their wait as well', async () => {
    await open();
    const fault = { kind: 'rate_limited', retryAfterMs: 60_000, shape: 'date' } as const;
    bench.simulator.faults.set({ call: CREATE, fault });
    const { problem } = await failure(bench.send(adapter, bench.chat(), 'x'));
    expect(problem.kind === 'rate_limited' && problem.retryAfterMs).toBeGreaterThan(50_000);
  });

  it('of the whole account apply to the account', async () => {
    await open({ limits: 'documented' });
    const sends = Array.from({ length: 300 }, (_, index) =>
      adapter.openDirect!(bench.simulator.address(index)),
    );
    const errors = (await Promise.allSettled(sends)).flatMap((result) =>
      result.status === 'rejected' ? [result.reason as PlatformError] : [],
    );
    expect(errors.length).toBeGreaterThanOrEqual(10);
    for (const { problem } of errors)
      expect(problem).toMatchObject({ kind: 'rate_limited', scope: 'account' });
  });
});

describe('lost responses of Discord', () => {
  const lost = async (key: string, text: string) => {
    const startedAt = new Date().toISOString();
    const step = firstStep(text);
    const error = await failure(adapter.execute(step, context(bench.chat(), key)));
    const query = { to: { chatId: remoteChatId(bench.chat()) }, key, step, startedAt };
    return { error, query };
  };

  it('after the write have an unknown outcome, and a lookup finds the message', async () => {
    await open();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'drop_after' } });
    const { error, query } = await lost(newKey(), 'written once');
    expect(error).toMatchObject({
      dispatched: 'unknown',
      problem: { kind: 'unavailable', cause: 'network' },
    });
    const [message] = visible(bench.chat());
    expect(await adapter.lookup!(query)).toEqual({ outcome: 'found', remoteId: message?.id });
  });

  it('before the write have an unknown outcome too, and the same create can be repeated within two minutes', async () => {
    await open();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'drop_before' } });
    const { error, query } = await lost(newKey(), 'never written');
    expect(error.dispatched).toBe('unknown');
    await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'never written' });
    expect(await adapter.lookup!(query)).toEqual({ outcome: 'absent', resend: 'recognised' });
    const startedAt = new Date(Date.now() - 121_000).toISOString();
    expect(await adapter.lookup!({ ...query, startedAt })).toEqual({ outcome: 'absent' });
  });

  it('are resolved by the nonce of another create if two messages of the bot have the same text, while Discord remembers it', async () => {
    await open();
    await bench.send(adapter, bench.chat(), 'ok');
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'drop_after' } });
    const { query } = await lost(newKey(), 'ok');
    expect(await adapter.lookup!(query)).toEqual({ outcome: 'absent', resend: 'recognised' });
    const written = visible(bench.chat()).at(-1)?.id;
    const { remoteId } = await adapter.execute(query.step, {
      ...query,
      signal: new AbortController().signal,
    });
    expect([remoteId, visible(bench.chat()).length]).toEqual([written, 2]);
  });

  it('are found behind hundreds of other messages', async () => {
    await open();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'drop_after' } });
    for (let count = 0; count < 150; count += 1)
      await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: `${count}` });
    const { query } = await lost(newKey(), 'needle');
    expect(await adapter.lookup!(query)).toMatchObject({ outcome: 'found' });
    expect(bench.count('GET /channels/:id/messages')).toBe(2);
  });

  it('may be repeated with the same key without a second message', async () => {
    await open();
    const key = newKey();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'drop_after' } });
    const { query } = await lost(key, 'once');
    const receipt = await adapter.execute(query.step, context(bench.chat(), key));
    expect(visible(bench.chat())).toMatchObject([{ id: receipt.remoteId, text: 'once' }]);
  });

  it('of a server error leave the outcome unknown and are not retried', async () => {
    await open();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'status', status: 502 } });
    const { error } = await lost(newKey(), 'x');
    expect(error).toMatchObject({ dispatched: 'unknown', problem: { cause: 'platform_down' }, code: '502' });
    expect(bench.count(CREATE)).toBe(1);
  });

  it('end at the time limit of one write, with an unknown outcome', async () => {
    await open();
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'delay', ms: 5_000 } });
    const signal = AbortSignal.timeout(50);
    const error = await failure(adapter.execute(firstStep('x'), { ...context(bench.chat()), signal }));
    expect(error).toMatchObject({ dispatched: 'unknown', problem: { kind: 'unavailable' } });
  });

  it('are certainly unsent when the server does not listen or the call was aborted before it began', async () => {
    await open();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const nowhere = await bench.adapter({ apiBaseUrl: `http://127.0.0.1:${port}/api` });
    const refused = await failure(bench.send(nowhere, bench.chat(), 'x'));
    expect([refused.dispatched, refused.code]).toEqual(['no', 'ECONNREFUSED']);
    const aborted = { ...context(bench.chat()), signal: AbortSignal.abort() };
    expect((await failure(adapter.execute(firstStep('x'), aborted))).dispatched).toBe('no');
    expect(bench.simulator.ledger.counts()).toEqual({});
  });
});

describe('a long-lived abort signal', () => {
  it('holds no references to the calls that used it', async () => {
    await open();
    const { signal } = new AbortController();
    for (const text of ['one', 'two'])
      await adapter.execute(firstStep(text), { ...context(bench.chat()), signal });
    await adapter.stop();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('refusals of Discord', () => {
  it('have their reason and code, also for responses that are not Discord’s', async () => {
    await open();
    const unknown = await failure(bench.send(adapter, '123456789012345678', 'x'));
    expect([unknown.problem, unknown.code]).toEqual([
      { kind: 'rejected', reason: 'recipient_gone' },
      '10003',
    ]);
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'status', status: 418 } });
    const odd = await failure(bench.send(adapter, bench.chat(), 'x'));
    expect([odd.problem, odd.code, odd.dispatched]).toEqual([
      { kind: 'rejected', reason: 'platform_error' },
      '418',
      'no',
    ]);
    for (const status of [401, 403, 404]) {
      bench.simulator.faults.set({ call: CREATE, fault: { kind: 'status', status } });
      expect((await failure(bench.send(adapter, bench.chat(), 'x'))).problem).toEqual(odd.problem);
    }
    bench.simulator.faults.set({ call: CREATE, fault: { kind: 'revoked' } });
    expect((await failure(bench.send(adapter, bench.chat(), 'x'))).problem).toEqual({ kind: 'unauthorized' });
  });

  it('contain neither the text nor the token', async () => {
    await open();
    bench.simulator.closeDirect(bench.simulator.address(1));
    const chat = await adapter.openDirect!(bench.simulator.address(1));
    const error = await failure(bench.send(adapter, chat, 'private words'));
    expect(error.cause).toBeUndefined();
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/private words|simulated-discord-token/);
  });
});
