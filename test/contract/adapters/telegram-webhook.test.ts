import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api } from 'grammy';
import { describe, expect, it } from 'vitest';
import { MissedUpdates } from '../../../adapters/telegram/ingress/missed-updates.js';
import { WebhookMonitor } from '../../../adapters/telegram/ingress/webhook-monitor.js';
import { type Adapter, clock } from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { group, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();

describe('the Telegram webhook', () => {
  /** The part of the bridge that listens. Resolves with its address. */
  async function listen(adapterOf: () => Adapter): Promise<string> {
    const server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', async () => {
        const request = new Request(`http://bridge${incoming.url}`, {
          method: 'POST',
          headers: incoming.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        });
        const response = await adapterOf().handle?.(request);
        outgoing.writeHead(response?.status ?? 500).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    telegram().onClose(
      () =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(resolve);
        }),
    );
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/telegram/1`;
  }

  async function connectWebhook(): Promise<Adapter> {
    let adapter: Adapter;
    telegram().host = new RecordingHost(await listen(() => adapter));
    adapter = await telegram().connect('webhook');
    return adapter;
  }

  const push = (adapter: Adapter, body: string, secret?: string) =>
    adapter.handle?.(
      new Request('https://bridge.example/hooks/telegram/1', {
        method: 'POST',
        body,
        headers: secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret },
      }),
    );

  describe('that is monitored', () => {
    const lastReport = () => telegram().host.reports.at(-1);
    const api = () => {
      const { credentials, settings } = telegram().simulator.account();
      return new Api(String(credentials.bot_token), { apiRoot: String(settings.api_base_url) });
    };

    function watch(register: () => Promise<unknown> = async () => undefined): void {
      const closing = new AbortController();
      const { host } = telegram();
      const missed = new MissedUpdates(host);
      const bot = () => '1';
      const monitor = new WebhookMonitor({ api: api(), host, register, missed, bot, intervalMs: 20 });
      const watching = monitor.run(closing.signal);
      telegram().onClose(async () => {
        closing.abort();
        await watching;
      });
    }

    it('reports undelivered updates in its health until they are delivered', async () => {
      let isAway = true;
      let adapter: Adapter;
      const refusing = { handle: async () => new Response(null, { status: 503 }) } as unknown as Adapter;
      telegram().host = new RecordingHost(await listen(() => (isAway ? refusing : adapter)));
      adapter = await telegram().connect('webhook');
      await adapter.start();
      await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Refused' });
      watch();
      await telegram().host.until(() => lastReport()?.code === 'transient');
      expect(lastReport()?.message).toBe(
        "1 updates wait at Telegram, which can't deliver them (Wrong response from the webhook: 503).",
      );
      expect(lastReport()?.fix).toContain('PUBLIC_URL');
      isAway = false;
      await telegram().host.until(() => lastReport()?.code === 'ok');
      expect(telegram().host.envelopes).toHaveLength(1);
    });

    it('is registered again when a program that polls with the same token has removed it', async () => {
      const adapter = await connectWebhook();
      await adapter.start();
      await api().deleteWebhook();
      watch(() => api().setWebhook(telegram().host.webhookUrl));
      await expect.poll(async () => (await api().getWebhookInfo()).url).toBe(telegram().host.webhookUrl);
    });

    it('reports in its health that Telegram has another address', async () => {
      const adapter = await connectWebhook();
      await adapter.start();
      await api().setWebhook('https://other.example/hook');
      watch();
      await telegram().host.until(() => lastReport()?.code === 'transient');
      expect(lastReport()?.message).toContain('leads elsewhere');
    });
  });

  it('reports a gap after an outage that is longer than Telegram keeps updates', async () => {
    const adapter = await connectWebhook();
    const { host, simulator } = telegram();
    const [bot] = String(simulator.account().credentials.bot_token).split(':');
    const at = new Date(clock.now() - 25 * 60 * 60_000).toISOString();
    await host.state.save('updates-seen', JSON.stringify({ bot, at }));
    await adapter.start();
    await host.until(() => host.envelopes.length > 0);
    expect(telegram().events(adapter)).toMatchObject([{ type: 'gap', since: at }]);
  });

  it('registers its address and secret and receives updates there', async () => {
    const adapter = await connectWebhook();
    await adapter.start();
    expect(telegram().simulator.ledger.entries('setWebhook')[0]?.request).toMatchObject({
      url: telegram().host.webhookUrl,
      secret_token: telegram().simulator.account().credentials.webhook_secret,
    });
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'By webhook' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect(telegram().events(adapter)).toMatchObject([{ content: { text: 'By webhook' } }]);
    expect(telegram().healthCodes()).toEqual(['connecting', 'ok']);
  });

  it('responds with 503 while nothing can be stored, so that Telegram repeats the update', async () => {
    const adapter = await connectWebhook();
    await adapter.start();
    telegram().host.failure = new Error('the database is away');
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Repeated' });
    await telegram().host.until(() => telegram().host.received >= 1);
    telegram().host.failure = undefined;
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect(telegram().events(adapter)).toMatchObject([{ content: { text: 'Repeated' } }]);
  });

  it('accepts only requests with the secret, and stores nothing of the others', async () => {
    const adapter = await telegram().connect('webhook');
    const secret = telegram().simulator.account().credentials.webhook_secret ?? '';
    const body = JSON.stringify({ update_id: 1, message: { chat: { id: 1 } } });
    expect((await push(adapter, body))?.status).toBe(401);
    expect((await push(adapter, body, `${secret}x`))?.status).toBe(401);
    expect((await push(adapter, body, ''))?.status).toBe(401);
    expect(telegram().host.received).toBe(0);
    expect((await push(adapter, body, secret))?.status).toBe(200);
    expect(telegram().host.received).toBe(1);
  });

  it('drops authentic requests without an update, and refuses invalid JSON', async () => {
    const adapter = await telegram().connect('webhook');
    const secret = telegram().simulator.account().credentials.webhook_secret ?? '';
    expect((await push(adapter, '{}', secret))?.status).toBe(200);
    expect((await push(adapter, '{', secret))?.status).toBe(400);
    expect(telegram().host.received).toBe(0);
  });

  it('generates a secret when none was entered', async () => {
    const adapter = await telegram().connect('webhook', telegram().host, { webhook_secret: undefined });
    await adapter.start();
    const [registered] = telegram().simulator.ledger.entries('setWebhook');
    expect(registered?.request).toMatchObject({ secret_token: expect.stringMatching(/^[\w-]{43}$/) });
    expect((await push(adapter, '{"update_id":1}', 'anything'))?.status).toBe(401);
  });

  it('stays registered after a stop, and is replaced when polling starts', async () => {
    const adapter = await connectWebhook();
    await adapter.start();
    await adapter.stop();
    expect(telegram().simulator.ledger.entries('deleteWebhook')).toHaveLength(0);
    const polling = await telegram().connect('poll');
    await polling.start();
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'By polling' });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect((await push(polling, '{}', 'x'))?.status).toBe(401);
  });
});
