import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMailbox } from '../../../examples/email/src/imap.js';
import { verify } from '../../../examples/email/src/submission.js';
import { IrcAdapter } from '../../../examples/irc/src/adapter.js';
import { XmppAdapter } from '../../../examples/xmpp/src/adapter.js';
import { PlatformError } from '../../../src/contract/index.js';
import { createGuard, type Guard } from '../../../src/outgoing/guard.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { DiscordBench } from '../../support/discord.js';
import { type DnsServer, startDnsServer } from '../../support/dns-server.js';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback-receiver.js';
import { createFrom, problemOf, SlackBench } from '../../support/slack-bench.js';

/** A host whose sockets pass the real guard with this test's name server, and whose HTTP responses can be replaced. */
class GuardedHost extends RecordingHost {
  readonly asked: string[] = [];
  answerOf: (url: string) => string | undefined = () => undefined;

  constructor(readonly guard: Guard) {
    super();
  }

  override async assertTarget(url: string) {
    this.asked.push(url);
    try {
      return await this.guard.assertTarget(url);
    } catch {
      throw new PlatformError({ kind: 'misconfigured' }, { dispatched: 'no', message: 'Forbidden.' });
    }
  }

  override async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const replaced = this.answerOf(String(input instanceof Request ? input.url : input));
    if (replaced === undefined) return fetch(input, init);
    return new Response(replaced, { headers: { 'content-type': 'application/json' } });
  }
}

let dns: DnsServer;
let guard: Guard;
let host: GuardedHost;
/** Counts its connections. There must be none when its address is forbidden. */
let trap: LoopbackServer;
let trapServer: Server;
let caught: number;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  dns = await startDnsServer();
  // The guard checks the first answer. A client that resolves the name again gets another address.
  dns.set('socket.test', (round) => (round === 1 ? ['127.0.0.1'] : ['10.0.0.1']));
  guard = createGuard({
    allowPrivateTargets: ['127.0.0.1/32'],
    ownAddress: () => undefined,
    resolve: dns.resolve,
  });
  host = new GuardedHost(guard);
  caught = 0;
  trapServer = createServer((socket) => {
    caught += 1;
    socket.destroy();
  });
  trap = await listenOnLoopback(trapServer, 'ws');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await Promise.all([trap.close(), guard.close(), dns.close()]);
});

/** The trap's address, a loopback address that is not allowed. */
const forbidden = () => `ws://127.0.0.2:${trap.port}/`;
const portOf = (url: string) => new URL(url).port;

describe('the gateway address from Discord', () => {
  async function open() {
    const bench = await DiscordBench.open();
    closing.push(() => bench.close());
    return bench;
  }
  const gatewayAt = (url: string) => (asked: string) =>
    asked.endsWith('/gateway/bot') ? JSON.stringify({ url, shards: 1 }) : undefined;

  it('is dialled at the checked address, although its name resolves differently the second time', async () => {
    const bench = await open();
    const port = portOf(String(bench.simulator.account().settings.api_base_url));
    host.answerOf = gatewayAt(`ws://socket.test:${port}`);
    const adapter = await bench.adapter({ host });
    await adapter.start();
    expect(host.asked).toEqual([`ws://socket.test:${port}/?v=10&encoding=json`]);
    expect(dns.asked.filter((question) => question === 'socket.test A')).toHaveLength(1);
  });

  it('is checked again at the next dial, which is refused when the name resolves to a forbidden address by then', async () => {
    const bench = await open();
    const port = portOf(String(bench.simulator.account().settings.api_base_url));
    host.answerOf = gatewayAt(`ws://socket.test:${port}`);
    const first = await bench.adapter({ host });
    await first.start();
    await first.stop();
    await host.state.save('gateway-session', null);
    const second = await bench.adapter({ host });
    const starting = second.start();
    await host.until(() => host.reports.some(({ code }) => code === 'misconfigured'));
    await second.stop();
    await starting;
    expect(bench.count('gateway.connect')).toBe(1);
  });

  it('is not dialled if an earlier session has a forbidden address for its resume', async () => {
    const bench = await open();
    const first = await bench.adapter({ host });
    await first.start();
    await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'hello' });
    await host.until(() => host.envelopes.length > 0);
    await first.stop();
    const stored = JSON.parse((await host.state.load('gateway-session')) ?? '{}') as object;
    await host.state.save('gateway-session', JSON.stringify({ ...stored, resumeUrl: forbidden() }));
    const second = await bench.adapter({ host });
    const starting = second.start();
    await host.until(() => host.reports.some(({ code }) => code === 'misconfigured'));
    await second.stop();
    await starting;
    expect(host.asked.at(-1)).toBe(`${forbidden()}?v=10&encoding=json`);
    expect(caught).toBe(0);
  });

  it.each([
    'ws+unix:///var/run/docker.sock:/',
    'http+unix://%2Fvar%2Frun/',
    'file:///etc/passwd',
    'not a URL',
  ])('is refused when it is not a WebSocket address: %s', async (url) => {
    const bench = await open();
    host.answerOf = gatewayAt(url);
    const adapter = await bench.adapter({ host });
    const starting = adapter.start();
    await host.until(() => host.reports.some(({ code }) => code === 'misconfigured'));
    await adapter.stop();
    await starting;
    expect(bench.count('gateway.connect')).toBe(0);
  });
});

describe('the socket address from Slack', () => {
  async function open() {
    const bench = new SlackBench();
    await bench.startGateway();
    closing.push(() => bench.stop());
    const adapter = await createFrom(bench.simulator.accountForGateway(), host);
    closing.push(() => adapter.stop());
    return { bench, adapter };
  }
  const answering = (text: string) => (asked: string) =>
    asked.endsWith('/apps.connections.open') ? text : undefined;
  const fine = 'ws://127.0.0.1:9/';

  it.each([
    ['stands behind a decoy of the same key', (bad: string) => `{"ok":true,"url":"${fine}","url":"${bad}"}`],
    [
      'stands behind a decoy in an object',
      (bad: string) => `{"ok":true,"x":{"url":"${fine}"},"url":"${bad}"}`,
    ],
    ['has an escaped key', (bad: string) => `{"ok":true,"x":{"url":"${fine}"},"\\u0075rl":"${bad}"}`],
    ['has escapes in its value', (bad: string) => `{"ok":true,"url":"${bad.replace('ws:', '\\u0077s:')}"}`],
    [
      'stands behind a text that looks like a key',
      (bad: string) => `{"ok":true,"x":"\\"url\\":\\"${fine}\\"","url":"${bad}"}`,
    ],
    ['is surrounded by blanks', (bad: string) => `{"ok":true,"url":"  ${bad}  "}`],
    ['is written in capitals', (bad: string) => `{"ok":true,"url":"${bad.replace('ws:', 'WS:')}"}`],
    ['has another scheme', (bad: string) => `{"ok":true,"url":"${bad.replace('ws:', 'http:')}"}`],
  ])('is checked as the SDK reads it when it %s', async (_what, textOf) => {
    const { adapter } = await open();
    host.answerOf = answering(textOf(forbidden()));
    expect((await problemOf(adapter.start())).dispatched).toBe('no');
    expect(caught).toBe(0);
  });

  it('is dialled at the checked address, although its name resolves differently the second time', async () => {
    const { bench, adapter } = await open();
    const port = portOf(String(bench.simulator.account().settings.api_base_url));
    const url = `ws://socket.test:${port}${bench.simulator.sockets.ticket()}`;
    host.answerOf = answering(JSON.stringify({ ok: true, url }));
    await adapter.start();
    expect(host.asked).toEqual([url]);
    expect(dns.asked.filter((question) => question === 'socket.test A')).toHaveLength(1);
    await adapter.stop();
    await bench.host.until(() => bench.simulator.sockets.connections === 1);
  });
});

describe('a plain socket of an example', () => {
  /** Starts a server; its `first` resolves with its first connection. */
  async function listening() {
    const server = createServer();
    const { port, close } = await listenOnLoopback(server);
    closing.push(close);
    return { port, connected: once(server, 'connection') };
  }
  const config = (credentials: object, settings: object) => ({ credentials, settings }) as never;
  const dialsOnce = () =>
    expect(dns.asked.filter((question) => question === 'socket.test A')).toHaveLength(1);

  it('connects to the checked address: IRC', async () => {
    const { port, connected } = await listening();
    const settings = { api_base_url: `tcp://socket.test:${port}`, channels: '', ingress: 'gateway' };
    const adapter = new IrcAdapter(config({ nick: 'bridge' }, settings), host);
    const identifying = adapter.identify().catch((error: unknown) => error);
    const [socket] = await connected;
    socket.destroy();
    expect(await identifying).toBeInstanceOf(PlatformError);
    await adapter.stop();
    dialsOnce();
  });

  it('connects to the checked address: IMAP', async () => {
    const { port, connected } = await listening();
    const account = { url: `tcp://socket.test:${port}`, user: 'a', password: 'b', mailbox: 'INBOX' };
    const target = (url: string) => host.assertTarget(url);
    const sessions = new Set<ImapFlow>();
    const opening = openMailbox({ ...account, target }, { idle: false, sessions }).catch(
      (error: unknown) => error,
    );
    const [socket] = await connected;
    socket.destroy();
    expect(await opening).toBeInstanceOf(PlatformError);
    dialsOnce();
  });

  it('connects to the checked address: SMTP', async () => {
    const { port, connected } = await listening();
    const submission = { url: `tcp://socket.test:${port}`, user: 'a', password: 'b' };
    const target = (url: string) => host.assertTarget(url);
    const verifying = verify({ ...submission, target }, new AbortController().signal).catch(
      (error: unknown) => error,
    );
    const [socket] = await connected;
    socket.destroy();
    expect(await verifying).toBeInstanceOf(PlatformError);
    dialsOnce();
  });

  it('connects to the checked address: XMPP, and its server can’t redirect it either', async () => {
    const { port, connected } = await listening();
    const settings = { api_base_url: `tcp://socket.test:${port}`, rooms: '', nick: 'b', ingress: 'gateway' };
    const adapter = new XmppAdapter(config({ jid: 'a@socket.test', password: 'b' }, settings), host);
    const identifying = adapter.identify().catch((error: unknown) => error);
    const [socket] = await connected;
    await once(socket, 'data');
    socket.write(
      `<stream:stream xmlns="jabber:client" xmlns:stream="http://etherx.jabber.org/streams" version="1.0">` +
        `<stream:error><see-other-host xmlns="urn:ietf:params:xml:ns:xmpp-streams">127.0.0.2:${trap.port}</see-other-host></stream:error>` +
        `</stream:stream>`,
    );
    socket.on('data', () => socket.end());
    await host.until(() => host.asked.length === 2);
    expect(host.asked).toEqual([`tcp://socket.test:${port}`, `tcp://127.0.0.2:${trap.port}`]);
    await adapter.stop();
    await identifying;
    dialsOnce();
    expect(caught).toBe(0);
  });
});
