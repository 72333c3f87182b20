import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';

describe.skipIf(!hasChromium())('The home page of the dashboard', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start()]);
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
  });

  it('shows the next steps of a new workspace, and updates without a reload', async () => {
    const page = await stage.open('/home');
    const api = stage.service.client();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByText('No platform is connected.').waitFor();
    await page.getByText('Nothing waits').waitFor();
    await page.getByRole('link', { name: 'Receive or send the first message' }).waitFor();
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    const chatId = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await telegram.post({ chatId, sender: 'Ada', text: 'Hello' });
    await page.getByText('In: 1').waitFor();
    await page
      .getByRole('link', { name: 'Receive or send the first message' })
      .waitFor({ state: 'detached' });
    const hours = page.getByRole('region', { name: 'Messages by hour' });
    expect(await hours.getByRole('row').count()).toBe(2);
  });

  it('links to the failures after a message could not be delivered', async () => {
    const page = await stage.open('/home');
    await page.getByText('None', { exact: true }).waitFor();
    await stage.service.client().must(201, 'POST', '/openapi/messages', {
      to: { platform: 'telegram', address: '424242' },
      text: 'Nobody is there',
    });
    await page.getByRole('link', { name: 'Look at the failures' }).click();
    await page.waitForURL(/inbox\?view=failures/);
    await page.getByText('Nobody is there').first().waitFor();
  });

  it('shows the age of the oldest waiting delivery, and how many attempts of webhooks succeed', async () => {
    const receiver = await loopbackReceiver((_request, response) => response.writeHead(204).end());
    try {
      const page = await stage.open('/home');
      const api = stage.service.client();
      const figures = page.getByRole('region', { name: 'Figures' });
      await figures.getByText('No webhook is enabled').waitFor();
      await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['message.created'] });
      telegram.faults.set({
        fault: { kind: 'rate_limited', retryAfterMs: 3_600_000 },
        call: 'sendMessage',
        times: Number.POSITIVE_INFINITY,
      });
      const address = telegram.chats().find(({ kind }) => kind === 'direct')?.id;
      const sent = await api.must(201, 'POST', '/openapi/messages', {
        to: { platform: 'telegram', address },
        text: 'Waits for an hour',
      });
      await figures.getByText('100% of 1 attempt succeeded').waitFor();
      await figures.getByText(/^\d+(?:\.\d)? (?:ms|sec|min)$/).waitFor();
      expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([sent.id]);
    } finally {
      telegram.faults.clear();
      await receiver.close();
    }
  });

  it('lists a connection in error first, with its fix', async () => {
    const page = await stage.open('/home');
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    await stage.service.client().must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Wrong token',
      ...telegram.account(),
      credentials: { bot_token: '1:wrong' },
    });
    await page.getByText('Error', { exact: true }).waitFor();
    const rows = page.getByRole('listitem').filter({ hasText: 'telegram' });
    await expect.poll(() => rows.first().innerText(), { timeout: 30_000 }).toContain('Wrong token');
    const { body } = await stage.service
      .client()
      .get<{ data: { health: { fix: string } }[] }>('/openapi/platforms/connections?filter=status:error');
    await rows.first().getByText(String(body.data[0]?.health.fix)).waitFor();
  });

  it.each([
    { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const)('draws the traffic without inline styles: $colorScheme', async (options) => {
    const page = await stage.open('/home', options);
    await page.getByRole('img', { name: /Bars of the messages/ }).waitFor();
    expect(await page.locator('main [style]').count()).toBe(0);
  });
});
