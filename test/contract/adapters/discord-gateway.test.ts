import { afterEach, describe, expect, it } from 'vitest';
import { DiscordRest } from '../../../adapters/discord/client/transport.js';
import { Directory } from '../../../adapters/discord/directory/directory.js';
import { Backfill } from '../../../adapters/discord/ingress/backfill.js';
import { Intake } from '../../../adapters/discord/ingress/intake.js';
import type { DiscordSimulatorOptions } from '../../../adapters/discord/simulator/index.js';
import { snowflakeTime } from '../../../adapters/discord/snowflake.js';
import { clock, UNKNOWN_TIME } from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { DiscordBench } from '../../support/discord.js';

let bench: DiscordBench;
const open = async (options: DiscordSimulatorOptions = {}) => {
  bench = await DiscordBench.open(options);
  return bench;
};
const TEN_MINUTES_MS = 600_000;
const setClock = (unixMs: number) => clock.agree(unixMs, performance.now(), performance.now());
afterEach(() => {
  setClock(Date.now());
  return bench.close();
});

const post = (text: string, chatId = bench.chat()) => bench.simulator.post({ chatId, sender: 'Ada', text });
const codes = () => bench.host.reports.map(({ code }) => code);

describe('an event from Discord', () => {
  it('is delivered in order, with sender, chat and formatting', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    for (const text of ['one', '**two**', 'three']) await post(text);
    await host.until(() => host.envelopes.length === 3);
    expect(bench.texts(adapter)).toEqual(['one', 'two', 'three']);
    expect(bench.events(adapter)[1]).toMatchObject({
      type: 'message',
      chat: { id: bench.chat(), kind: 'group', title: 'general' },
      sender: { displayName: 'Ada', handle: 'ada' },
      content: { spans: [{ mark: 'bold', start: 0, end: 3 }] },
    });
  });

  it('can be a reply, edit or deletion of a message', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    const first = await post('question');
    const reply = await simulator.post({
      chatId: bench.chat(),
      sender: 'Bob',
      text: 'answer',
      replyToId: first,
    });
    await simulator.edit(bench.chat(), reply, 'better answer');
    await simulator.remove(bench.chat(), first);
    await host.until(() => host.envelopes.length === 4);
    expect(bench.events(adapter)).toMatchObject([
      { type: 'message', messageId: first },
      { type: 'message', messageId: reply, replyToId: first },
      { type: 'message_edited', messageId: reply, content: { text: 'better answer' } },
      { type: 'message_deleted', messageId: first },
    ]);
  });

  it('is marked as direct when its chat has no server', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    await post('hello', bench.direct);
    await host.until(() => host.envelopes.length === 1);
    expect(bench.events(adapter)[0]).toMatchObject({ chat: { id: bench.direct, kind: 'direct' } });
  });

  it('is marked as an echo when the bot itself wrote or edited', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    const [receipt] = await bench.send(adapter, bench.chat(), 'mine');
    const step = {
      action: 'update' as const,
      index: 0,
      kind: 'text' as const,
      payload: { content: 'changed' },
    };
    const to = { chatId: bench.chat() as never };
    const signal = new AbortController().signal;
    await adapter.execute({ ...step, targetId: receipt!.remoteId! }, { to, key: '00', signal });
    await host.until(() => host.envelopes.length === 2);
    expect(bench.events(adapter)).toMatchObject([
      { type: 'message', echo: true },
      { type: 'message_edited', echo: true },
    ]);
  });

  it('arrives over one connection even if start is called several times', async () => {
    await open();
    const adapter = await bench.adapter();
    await Promise.all([adapter.start(), adapter.start()]);
    await adapter.start();
    expect(bench.simulator.gateway.connections).toBe(1);
    expect(bench.count('gateway.identify')).toBe(1);
  });
});

describe('no event is lost', () => {
  it('when the process dies between receipt and commit: the successor resumes and receives it again', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    await post('kept');
    await host.until(() => host.envelopes.length === 1);
    host.failure = new Error('the database is away');
    await post('not stored');
    await host.until(() => host.received > 1);
    await adapter.stop();
    host.failure = undefined;
    const successor = await bench.started();
    await host.until(() => host.envelopes.length === 2);
    expect(bench.texts(successor)).toEqual(['kept', 'not stored']);
    expect([bench.count('gateway.identify'), bench.count('gateway.resume')]).toEqual([1, 1]);
  });

  it('when the session has no resume address: the general address is used', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    await post('before');
    await host.until(() => host.envelopes.length === 1);
    await adapter.stop();
    const stored = JSON.parse((await host.state.load('gateway-session')) ?? '');
    await host.state.save('gateway-session', JSON.stringify({ ...stored, resumeUrl: '' }));
    await post('meanwhile');
    const successor = await bench.started();
    await host.until(() => host.envelopes.length === 2);
    expect(bench.texts(successor)).toEqual(['before', 'meanwhile']);
    expect([bench.count('gateway.identify'), bench.count('gateway.resume')]).toEqual([1, 1]);
  });

  it('while the database is unavailable: events are stored in order afterwards, over the same connection', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    host.failure = new Error('the database is away');
    for (const text of ['one', 'two', 'three']) await post(text);
    await host.until(() => host.received >= 2);
    host.failure = undefined;
    await host.until(() => host.envelopes.length === 3);
    expect(bench.texts(adapter)).toEqual(['one', 'two', 'three']);
    expect(bench.count('gateway.connect')).toBe(1);
  });

  it('when too many events wait in memory: the socket is closed until they are stored', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    host.failure = new Error('the database is away');
    const sent = Array.from({ length: 5_200 }, (_, index) => `${index}`);
    for (const text of sent) await post(text);
    await host.until(() => simulator.gateway.connections === 0);
    host.failure = undefined;
    await host.until(() => host.envelopes.length === sent.length);
    expect(bench.texts(adapter)).toEqual(sent);
    expect(bench.count('gateway.identify')).toBe(1);
  });

  it('because heartbeats confirm only committed events', async () => {
    const { host, simulator } = await open({ heartbeatMs: 30 });
    await bench.started();
    host.failure = new Error('the database is away');
    await post('not stored');
    await host.until(() => host.received > 0);
    const before = bench.count('gateway.heartbeat');
    await host.until(() => bench.count('gateway.heartbeat') >= before + 3);
    const beats = simulator.ledger.entries('gateway.heartbeat').slice(-2);
    expect(beats.map(({ request }) => request)).toEqual([{ sequence: 2 }, { sequence: 2 }]);
  });

  it('when Discord asks to reconnect', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    simulator.gateway.requestReconnect();
    await post('in between');
    await host.until(() => host.envelopes.length === 1 && bench.count('gateway.resume') === 1);
    await post('after');
    await host.until(() => host.envelopes.length === 2);
    expect(bench.texts(adapter)).toEqual(['in between', 'after']);
    expect(bench.count('gateway.identify')).toBe(1);
  });

  it('when the network fails and the next dial fails too', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    simulator.faults.set({ call: 'gateway.connect', fault: { kind: 'drop_before' } });
    simulator.faults.set({ call: 'gateway.connect', fault: { kind: 'status', status: 502 } });
    simulator.gateway.cut();
    await post('meanwhile');
    await host.until(() => host.envelopes.length === 1);
    expect(bench.texts(adapter)).toEqual(['meanwhile']);
    expect(bench.count('gateway.identify')).toBe(1);
    expect(codes()).toEqual(['connecting', 'ok', 'transient', 'transient', 'ok']);
  });

  it('when a session can’t be resumed: the gap is reported, and its messages are fetched before the later ones', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    await post('before');
    await post('in private', bench.direct);
    await host.until(() => host.envelopes.length === 2);
    await adapter.stop();
    const missed = Array.from({ length: 120 }, (_, index) => `missed ${index}`);
    for (const text of missed) await post(text);
    await post('missed in the thread', bench.thread);
    await post('missed in private', bench.direct);
    simulator.gateway.forgetSessions();
    const successor = await bench.started();
    await post('after');
    await host.until(() => bench.texts(successor).includes('after') && host.envelopes.length === 126);
    const told = bench.events(successor);
    expect(told[2]).toMatchObject({ type: 'gap', reason: 'Invalid session' });
    const inOrder = bench.texts(successor).filter((text) => !/in (private|the thread)/.test(text));
    expect(inOrder).toEqual(['before', ...missed, 'after']);
    expect(bench.texts(successor)).toEqual(
      expect.arrayContaining(['missed in private', 'missed in the thread']),
    );
    expect(told).toContainEqual(
      expect.objectContaining({
        chat: { id: bench.chat(), threadId: bench.thread, kind: 'group', title: 'general' },
      }),
    );
  });

  it('when a session is lost after its last event was stored long after it was sent', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    host.failure = new Error('the database is away');
    await post('stored late');
    await host.until(() => host.received > 0);
    setClock(Date.now() + TEN_MINUTES_MS);
    host.failure = undefined;
    await host.until(() => host.envelopes.length === 1);
    await adapter.stop();
    await post('missed');
    simulator.gateway.forgetSessions();
    const successor = await bench.started();
    await post('after');
    await host.until(() => bench.texts(successor).includes('after'));
    expect(bench.texts(successor)).toEqual(['stored late', 'missed', 'after']);
  });

  it('without a report: a channel with more messages than are fetched is a gap since the last fetched one', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.adapter();
    const { credentials, settings } = simulator.account();
    const rest = new DiscordRest(String(credentials.bot_token), String(settings.api_base_url), host);
    const backfill = new Backfill(rest, host, new Intake(host, new Directory(rest)), 1);
    const posted = [];
    for (let number = 1; number <= 101; number += 1) posted.push(await post(`missed ${number}`));
    const guild = { id: '1', channels: [{ id: bench.chat(), last_message_id: posted[100] }], threads: [] };
    const since = new Date(Date.now() - TEN_MINUTES_MS).toISOString();
    const session = {
      sessionId: 's',
      resumeUrl: '',
      sequence: 1,
      tokenHash: '',
      userId: '2',
      applicationId: '3',
      at: since,
    };
    await backfill.server(guild, since, session, new AbortController().signal);
    rest.close();
    expect(bench.texts(adapter)).toHaveLength(100);
    expect(bench.events(adapter).at(-1)).toEqual({
      type: 'gap',
      since: new Date(snowflakeTime(posted[99] ?? '')).toISOString(),
      reason: `The channel ${bench.chat()} has more messages than are fetched.`,
    });
  });

  it('without a report: messages that Discord refuses to list are a gap, and the later ones are stored', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    await post('before');
    await host.until(() => host.envelopes.length === 1);
    await adapter.stop();
    await post('missed');
    simulator.gateway.forgetSessions();
    const fault = { kind: 'status', status: 503 } as const;
    simulator.faults.set({ call: 'GET /channels/:id/messages', fault, times: 8 });
    const successor = await bench.started();
    await post('after');
    await host.until(() => bench.texts(successor).includes('after'));
    expect(bench.texts(successor)).toEqual(['before', 'after']);
    expect(bench.events(successor)).toContainEqual(
      expect.objectContaining({ type: 'gap', reason: 'Discord refused to list the missed messages.' }),
    );
  });

  it('when the record of the session is damaged: the gap is reported, and later messages are stored', async () => {
    const { host } = await open();
    const adapter = await bench.started();
    await post('before');
    await host.until(() => host.envelopes.length === 1);
    await adapter.stop();
    await post('missed');
    await host.state.save('gateway-session', 'no JSON');
    const successor = await bench.started();
    await post('after');
    await host.until(() => bench.texts(successor).includes('after'));
    expect(bench.texts(successor)).toEqual(['before', 'after']);
    expect(bench.events(successor)).toContainEqual({
      type: 'gap',
      since: UNKNOWN_TIME,
      reason: expect.stringContaining('is damaged'),
    });
  });

  it.each(['no JSON', '{}'])(
    'when the list of direct chats is damaged: the gap is reported, and later messages are stored: %s',
    async (damaged) => {
      const { host, simulator } = await open();
      const adapter = await bench.started();
      await post('before', bench.direct);
      await host.until(() => host.envelopes.length === 1);
      await adapter.stop();
      simulator.gateway.forgetSessions();
      await host.state.save('direct-channels', damaged);
      const successor = await bench.started();
      await post('after', bench.direct);
      await host.until(() => bench.texts(successor).includes('after'));
      expect(bench.events(successor)).toContainEqual(
        expect.objectContaining({ type: 'gap', reason: expect.stringContaining('list of direct chats') }),
      );
      expect(JSON.parse(host.saved('direct-channels') ?? '')).toEqual([bench.direct]);
    },
  );

  it('when the process dies while a gap is fetched: the successor fetches the rest', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    await post('before');
    await host.until(() => host.envelopes.length === 1);
    await adapter.stop();
    for (const text of ['one', 'two']) await post(text);
    simulator.gateway.forgetSessions();
    simulator.faults.set({
      call: 'GET /channels/:id/messages',
      fault: { kind: 'status', status: 503 },
      times: 2,
    });
    const second = await bench.started();
    await host.until(() => bench.count('GET /channels/:id/messages') > 0);
    await second.stop();
    const third = await bench.started();
    await post('after');
    await host.until(() => bench.texts(third).includes('after'));
    expect(bench.texts(third)).toEqual(['before', 'one', 'two', 'after']);
    expect([bench.count('gateway.identify'), bench.count('gateway.resume')]).toEqual([2, 2]);
  });
});

describe('the state of the Discord connection', () => {
  it('a dead socket is noticed within two heartbeats and replaced', async () => {
    const { host, simulator } = await open({ heartbeatMs: 100 });
    const adapter = await bench.started();
    simulator.freeze(true);
    await host.until(() => bench.count('gateway.connect') === 2);
    simulator.freeze(false);
    await post('alive');
    await host.until(() => host.envelopes.length === 1);
    expect(bench.texts(adapter)).toEqual(['alive']);
  });

  it('messages that are posted while the socket is dead arrive before later ones', async () => {
    const { host, simulator } = await open();
    const adapter = await bench.started();
    simulator.freeze(true);
    await post('one');
    await post('two');
    simulator.freeze(false);
    await post('three');
    await host.until(() => host.envelopes.length === 3);
    expect(bench.texts(adapter)).toEqual(['one', 'two', 'three']);
  });

  it('a wrong token is refused with one request and no gateway connection', async () => {
    await open();
    const adapter = await bench.adapter({ token: 'wrong' });
    await expect(adapter.start()).rejects.toMatchObject({ problem: { kind: 'unauthorized' } });
    expect(codes()).toEqual(['connecting', 'bad_credentials']);
    expect(bench.simulator.ledger.counts()).toEqual({ 'GET /gateway/bot': 1 });
  });

  it('a token that becomes invalid is reported once and not retried; a new token connects and reports a gap', async () => {
    const { host, simulator } = await open();
    await bench.started();
    simulator.revokeToken();
    await host.until(() => codes().includes('bad_credentials'));
    const dials = bench.count('gateway.connect');
    const successor = await bench.started();
    await post('again');
    await host.until(() => host.envelopes.length === 2);
    expect(bench.events(successor)).toMatchObject([{ type: 'gap' }, { content: { text: 'again' } }]);
    expect(codes()).toEqual(['connecting', 'ok', 'bad_credentials', 'connecting', 'ok']);
    expect([dials, bench.count('gateway.connect')]).toEqual([1, 2]);
  });

  it('a missing privileged intent is reported as a setup error with a fix, and not retried', async () => {
    const { host } = await open({ messageContent: false });
    const adapter = await bench.adapter();
    await expect(adapter.start()).rejects.toMatchObject({ problem: { kind: 'misconfigured' }, code: '4014' });
    expect(host.reports.at(-1)).toMatchObject({
      code: 'misconfigured',
      fix: expect.stringContaining('Intent'),
    });
    expect(bench.count('gateway.connect')).toBe(1);
  });

  it('the adapter does not log in while the login allowance is exhausted', async () => {
    const { host, simulator } = await open();
    simulator.gateway.spendIdentifies(1000);
    const adapter = await bench.adapter();
    const starting = adapter.start();
    await host.until(() => codes().includes('rate_limited'));
    await adapter.stop();
    await starting;
    expect(bench.count('gateway.connect')).toBe(0);
  });

  it('an outage of Discord at start is transient and ends by itself', async () => {
    const { simulator } = await open();
    simulator.faults.set({ call: 'GET /gateway/bot', fault: { kind: 'status', status: 503 }, times: 2 });
    await bench.started();
    expect(codes()).toEqual(['connecting', 'transient', 'transient', 'ok']);
  });

  it('a forbidden address is not dialled', async () => {
    const { host, simulator } = await open();
    host.assertTarget = () => Promise.reject(new Error('forbidden target'));
    const adapter = await bench.adapter();
    const starting = adapter.start();
    await host.until(() => codes().includes('misconfigured'));
    await adapter.stop();
    await starting;
    expect([simulator.gateway.connections, bench.count('gateway.connect')]).toEqual([0, 0]);
  });

  it('no health report, envelope or error contains the token', async () => {
    const { host } = await open();
    const adapter = await bench.adapter({ token: 'a-secret-token' });
    const error: unknown = await adapter.start().catch((cause: unknown) => cause);
    const seen = JSON.stringify([host.reports, host.envelopes, { ...(error as Error) }, String(error)]);
    expect(seen).not.toContain('a-secret-token');
  });
});

/** A server that returns only the URL of the gateway and no other data. */
class TerseHost extends RecordingHost {
  override async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const response = await super.fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith('/gateway/bot')) return response;
    return Response.json({ url: ((await response.json()) as { url: string }).url });
  }
}

it('the Discord gateway connects when the server returns only its URL', async () => {
  bench = await DiscordBench.open();
  const host = new TerseHost();
  const adapter = await bench.adapter({ host });
  await adapter.start();
  await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'hello' });
  await host.until(() => host.envelopes.length === 1);
});
