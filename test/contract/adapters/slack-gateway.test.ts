import { lookup } from 'node:dns';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RecordingHost } from '../../support/adapter-host.js';
import { createFrom, problemOf, SlackBench } from '../../support/slack-bench.js';

const CHANNEL = 'C0SIMGENERAL';

let bench: SlackBench;

beforeEach(async () => {
  bench = new SlackBench();
});
afterEach(() => bench.stop());

describe('Slack Socket Mode', () => {
  it('receives messages over the socket and acknowledges them once stored', async () => {
    await bench.startGateway();
    const id = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Hi' });
    expect(await bench.event('message')).toMatchObject({ messageId: id, sender: { displayName: 'Ann' } });
    await bench.host.until(() => bench.simulator.sockets.waiting === 0);
  });

  it('sends by the Web API and marks the returned event as an echo', async () => {
    await bench.startGateway();
    await bench.send(CHANNEL, 'mine');
    expect((await bench.event('message')).echo).toBe(true);
  });

  it('does not acknowledge an event that it could not store, and receives it again on the next socket', async () => {
    await bench.startGateway();
    bench.host.failure = new Error('database away');
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'keep me' });
    await bench.host.until(() => bench.host.received === 1);
    expect(bench.simulator.sockets.waiting).toBe(1);
    bench.host.failure = undefined;
    bench.simulator.sockets.cut();
    expect((await bench.event('message')).content.text).toBe('keep me');
    await bench.host.until(() => bench.simulator.sockets.waiting === 0);
    // The history that is read after the gap may contain the message again. The core stores it once.
    const messages = bench.events().flatMap((event) => (event.type === 'message' ? [event.messageId] : []));
    expect([new Set(messages).size, messages.length]).toEqual([1, bench.events().length]);
  });

  it('receives an event that another socket of the app received but did not acknowledge before it closed', async () => {
    await bench.startGateway();
    const { api_base_url } = bench.simulator.accountForGateway().settings;
    const base = String(api_base_url)
      .replace(/^http/, 'ws')
      .replace(/\/api$/, '');
    const other = new WebSocket(base + bench.simulator.sockets.ticket());
    const frames: string[] = [];
    other.on('message', (data) => frames.push(String(data)));
    await once(other, 'open');
    // The other client ignores it. The adapter closes its own socket before it opens the next, so the other one is older.
    bench.simulator.sockets.disconnect('refresh_requested');
    await bench.host.until(() => bench.simulator.ledger.counts()['apps.connections.open'] === 2);
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'to the other one' });
    await expect.poll(() => frames.join()).toContain('to the other one');
    other.terminate();
    expect((await bench.event('message')).content.text).toBe('to the other one');
    await bench.host.until(() => bench.simulator.sockets.waiting === 0);
  });

  it('stores messages of a channel in order, even if the lookup of a name is slow', async () => {
    await bench.startGateway();
    bench.simulator.faults.set({ fault: { kind: 'delay', ms: 500 }, call: 'users.info' });
    const asked = vi.spyOn(bench.host, 'fetch');
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'first' });
    await expect.poll(() => asked.mock.calls.map(([url]) => String(url)).join()).toContain('users.info');
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Bob', text: 'second' });
    await bench.simulator.post({ chatId: 'C0SIMSUPPORT', sender: 'Bob', text: 'elsewhere' });
    await bench.event('message', (event) => event.content.text === 'first');
    await bench.host.until(() => bench.host.envelopes.length === 3);
    const said = bench.events().flatMap((event) => (event.type === 'message' ? [event.content.text] : []));
    expect(said).toEqual(['elsewhere', 'first', 'second']);
  });

  it('reconnects on one new socket when Slack asks for it', async () => {
    await bench.startGateway();
    bench.simulator.sockets.disconnect('refresh_requested');
    await bench.host.until(() => bench.simulator.ledger.counts()['apps.connections.open'] === 2);
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'after' });
    expect((await bench.event('message')).content.text).toBe('after');
    await bench.host.until(() => bench.simulator.sockets.connections === 1);
    expect(bench.host.reports.every((report) => report.code === 'ok')).toBe(true);
  });

  it('replaces a socket that stops responding', async () => {
    await bench.startGateway();
    // The client must have seen one answer to its pings before it treats silence as a failure within seconds.
    await bench.host.until(() => bench.simulator.sockets.pings > 0);
    bench.simulator.sockets.frozen = true;
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'into the void' });
    await bench.host.until(() => bench.simulator.ledger.counts()['apps.connections.open'] === 2);
    bench.simulator.sockets.frozen = false;
    expect((await bench.event('message')).content.text).toBe('into the void');
  });

  it('stays healthy while idle', async () => {
    await bench.startGateway();
    expect(bench.host.reports.map((report) => report.code)).toEqual(['ok']);
    expect(bench.simulator.sockets.connections).toBe(1);
  });

  it('names the required scopes that the app lacks, also after a reconnect, until it has them', async () => {
    const last = () => bench.host.reports.at(-1);
    for (const scope of ['channels:history', 'users:read']) bench.simulator.scopes.delete(scope);
    await bench.startGateway();
    const fix =
      'Add the scopes users:read, channels:history under OAuth & Permissions and install the app again.';
    expect(last()).toMatchObject({ code: 'ok', fix });
    bench.simulator.sockets.cut();
    await bench.host.until(() => bench.host.reports.length === 2);
    expect(last()).toMatchObject({ code: 'ok', fix });
    for (const scope of ['channels:history', 'users:read']) bench.simulator.scopes.add(scope);
    await bench.adapter.identify();
    bench.simulator.sockets.cut();
    await bench.host.until(() => bench.host.reports.length === 3);
    expect(last()).toEqual({ code: 'ok', message: 'Connected to Slack by Socket Mode.' });
  });

  it('ends with one report of bad credentials when the app token becomes invalid, and stops dialling', async () => {
    await bench.startGateway();
    bench.simulator.faults.set({
      fault: { kind: 'revoked' },
      call: 'apps.connections.open',
      times: Number.POSITIVE_INFINITY,
    });
    bench.simulator.sockets.cut();
    await bench.host.until(() => bench.host.reports.some((report) => report.code === 'bad_credentials'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(bench.simulator.ledger.counts()['apps.connections.open']).toBe(2);
    expect(bench.host.reports.filter((report) => report.code === 'bad_credentials')).toEqual([
      expect.objectContaining({ fix: expect.stringContaining('app_token') }),
    ]);
  });

  it('refuses to start with an invalid app token', async () => {
    await bench.startGateway();
    const account = bench.simulator.accountForGateway();
    const dead = { ...account, credentials: { ...account.credentials, app_token: 'xapp-dead' } };
    const adapter = await createFrom(dead, new RecordingHost());
    expect(await problemOf(adapter.start())).toMatchObject({
      problem: { kind: 'unauthorized' },
      code: 'invalid_auth',
      fix: expect.stringContaining('app_token'),
    });
    expect(bench.simulator.ledger.counts()['apps.connections.open']).toBe(2);
    await adapter.stop();
  });

  it('checks the app token without opening a socket, and offers no such check for webhooks', async () => {
    await bench.startGateway();
    await bench.adapter.checkIngress?.();
    const account = bench.simulator.accountForGateway();
    const dead = { ...account, credentials: { ...account.credentials, app_token: 'xapp-dead' } };
    const other = await createFrom(dead, new RecordingHost());
    expect(await problemOf(other.checkIngress?.() ?? Promise.resolve())).toMatchObject({
      problem: { kind: 'unauthorized' },
      code: 'invalid_auth',
      fix: expect.stringContaining('app_token'),
    });
    bench.simulator.refuseNext('apps.connections.open', 'missing_scope');
    expect(await problemOf(bench.adapter.checkIngress?.() ?? Promise.resolve())).toMatchObject({
      problem: { kind: 'misconfigured' },
      fix: expect.stringContaining('connections:write'),
    });
    expect(bench.simulator.ledger.counts()['apps.connections.open']).toBe(4);
    expect(bench.simulator.sockets.connections).toBe(1);
    const byWebhook = await createFrom(bench.simulator.account(), new RecordingHost());
    expect(byWebhook.checkIngress).toBeUndefined();
  });

  it('does not connect to sockets that the host forbids', async () => {
    await bench.startGateway();
    const guarded = new RecordingHost();
    guarded.assertTarget = async () => {
      throw new Error('forbidden target');
    };
    const adapter = await createFrom(bench.simulator.accountForGateway(), guarded);
    expect((await problemOf(adapter.checkIngress?.() ?? Promise.resolve())).dispatched).toBe('no');
  });

  it('reports an outage of Slack and recovers', async () => {
    await bench.startGateway();
    bench.simulator.faults.set({ fault: { kind: 'status', status: 503 }, call: 'apps.connections.open' });
    bench.simulator.sockets.cut();
    await bench.host.until(() => bench.host.reports.some((report) => report.code === 'transient'));
    await bench.host.until(() => bench.host.reports.at(-1)?.code === 'ok');
    expect(bench.simulator.sockets.connections).toBe(1);
  });

  it('does not dial a forbidden address', async () => {
    await bench.startGateway();
    const guarded = new RecordingHost();
    guarded.assertTarget = async () => {
      throw new Error('forbidden target');
    };
    const adapter = await createFrom(bench.simulator.accountForGateway(), guarded);
    await problemOf(adapter.start());
    expect(bench.simulator.sockets.connections).toBe(1);
    await adapter.stop();
  });

  it('leaves no socket behind when it is stopped, also during the start', async () => {
    await bench.startGateway();
    const quick = await createFrom(bench.simulator.accountForGateway(), new RecordingHost());
    const starting = quick.start().catch(() => undefined);
    await quick.stop();
    await starting;
    for (let count = 0; count < 10; count += 1) {
      await bench.adapter.stop();
      await bench.adapter.start();
    }
    await bench.adapter.stop();
    await bench.adapter.stop();
    await bench.host.until(() => bench.simulator.sockets.connections === 0);
  });

  it('does not dial when it is stopped while the address is being checked', async () => {
    await bench.startGateway();
    const host = new RecordingHost();
    let asked = false;
    let release: () => void = () => undefined;
    host.assertTarget = () => {
      asked = true;
      return new Promise((resolve) => {
        release = () => resolve(lookup);
      });
    };
    const late = await createFrom(bench.simulator.accountForGateway(), host);
    const starting = late.start();
    await host.until(() => asked);
    await late.stop();
    release();
    await starting;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bench.simulator.sockets.connections).toBe(1);
  });

  it('stops promptly although the other side does not respond', async () => {
    await bench.startGateway();
    bench.simulator.sockets.frozen = true;
    const begun = Date.now();
    await bench.adapter.stop();
    expect(Date.now() - begun).toBeLessThan(2_000);
  });

  it('survives a frame that the SDK can’t read', async () => {
    await bench.startGateway();
    bench.simulator.sockets.send({ event: null });
    await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'next' });
    expect((await bench.event('message')).content.text).toBe('next');
  });

  it('stores and acknowledges the notice that Slack dropped events, and reports a gap', async () => {
    await bench.startGateway();
    const limited = { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1_518_467_820 };
    bench.simulator.sockets.send({ token: 't0k', ...limited, api_app_id: 'A1' });
    expect(await bench.event('gap')).toMatchObject({ since: '2018-02-12T20:37:00.000Z' });
    await bench.host.until(() => bench.simulator.sockets.waiting === 0);
    expect(JSON.stringify(bench.host.envelopes)).not.toContain('t0k');
  });

  it('acknowledges and stores frames that are not events', async () => {
    await bench.startGateway();
    bench.simulator.sockets.send({ command: '/x', token: 't0k' }, 'slash_commands');
    expect(await bench.event('unsupported')).toBeDefined();
    await bench.host.until(() => bench.simulator.sockets.waiting === 0);
    expect(JSON.stringify(bench.host.envelopes)).not.toContain('t0k');
  });

  it('accepts no webhooks', async () => {
    await bench.startGateway();
    const answer = await bench.adapter.handle?.(
      new Request('https://bridge.example/', { method: 'POST', body: '{}' }),
    );
    expect(answer?.status).toBe(401);
  });
});
