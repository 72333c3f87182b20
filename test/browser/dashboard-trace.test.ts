import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import { axeFindings } from '../support/axe.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';

const MAX_MS = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The history of a message in the inbox', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;
  let path: string;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start()]);
    const api = stage.service.client();
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
    const chatId = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await telegram.post({ chatId, sender: 'Ada', text: 'Where is my order?' });
    const numbers = async () => {
      const { body } = await api.get<{ data: { number: number }[] }>('/openapi/conversations');
      return body.data.map(({ number }) => number);
    };
    await waitUntil(async () => (await numbers()).length > 0);
    const [number] = await numbers();
    path = `/inbox/${number}`;
    const sent = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: number,
      text: 'On its way',
    });
    const isSent = async () => (await api.get(`/openapi/messages/${sent.id}`)).body.status === 'sent';
    await waitUntil(isSent);
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
  });

  /** Opens the menu of a message and its last entry, in any language. */
  async function open(page: Page, text: string) {
    const message = page.getByRole('article').filter({ hasText: text });
    await message.waitFor();
    await message.hover();
    await message.locator('[aria-haspopup="menu"]').click();
    await page.getByRole('menuitem').last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('listitem').first().waitFor();
    return dialog;
  }

  it('begins with the arrival of an inbound message from the platform', async () => {
    const page = await stage.open(path);
    const dialog = await open(page, 'Where is my order?');
    await dialog.getByRole('heading', { name: 'History of this message' }).waitFor();
    const steps = dialog.getByRole('list', { name: 'Steps of the message' }).getByRole('listitem');
    await expect.poll(() => steps.nth(0).innerText(), MAX_MS).toContain('Received from the platform');
    expect(await steps.nth(1).innerText()).toContain('Stored');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows the route, the attempts and the responses of the platform, and updates while it is open', async () => {
    const page = await stage.open(path);
    const dialog = await open(page, 'On its way');
    for (const name of [
      'Routed to a chat',
      'Attempt started',
      'Accepted by the platform',
      'Attempt finished',
    ])
      await dialog.getByText(name, { exact: true }).first().waitFor();
    await dialog.getByText('Send, Version 1 · successful', { exact: false }).waitFor();
    expect(await dialog.getByText('Edited', { exact: true }).count()).toBe(0);
    const api = stage.service.client();
    const { body } = await api.get<{ data: { id: string }[] }>('/openapi/messages?filter=direction:outbound');
    await api.must(200, 'PATCH', `/openapi/messages/${body.data[0]?.id}`, { text: 'On its way today' });
    await dialog.getByText('Edited', { exact: true }).waitFor();
  });

  it('names the host of each webhook that received an event of the message', async () => {
    const receiver = await loopbackReceiver((_request, response) => response.end());
    try {
      const api = stage.service.client();
      const hook = { url: receiver.url, events: ['message.created'] };
      await api.must(201, 'POST', '/api/webhooks', hook);
      const number = Number(path.split('/').at(-1));
      const text = 'Reported to a webhook';
      await api.must(201, 'POST', '/openapi/messages', { conversation_id: number, text });
      await waitUntil(() => receiver.received.length > 0);
      const page = await stage.open(path);
      const dialog = await open(page, text);
      await dialog.getByText(new RegExp(`^127\\.0\\.0\\.1:${receiver.port} · .*HTTP 200`)).waitFor();
    } finally {
      await receiver.close();
    }
  });

  it('of one of its deliveries opens from the state of the delivery, without the steps of the others', async () => {
    const api = stage.service.client();
    const groups = telegram.chats().filter(({ kind }) => kind === 'group');
    const [connection] = (await api.get<{ data: { id: string }[] }>('/openapi/platforms/connections')).body
      .data;
    const links = groups.slice(0, 2).map(({ id }) => ({ connection_id: connection?.id, external_id: id }));
    const { id, number } = await api.must(201, 'POST', '/openapi/conversations', {
      title: 'Two chats',
      links,
    });
    const sent = await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text: 'To both' });
    await waitUntil(async () => (await api.get(`/openapi/messages/${sent.id}`)).body.status === 'sent');
    const page = await stage.open(`/inbox/${number}`);
    const message = page.getByRole('article').filter({ hasText: 'To both' });
    const routed = page.getByRole('dialog').getByText('Routed to a chat', { exact: true });
    const chat = (place: number) => page.getByRole('dialog').getByText(`Chat ${groups[place]?.id}`);
    for (const place of [0, 1]) {
      await message.getByRole('button', { name: 'Telegram · sent' }).nth(place).click();
      await page.getByRole('heading', { name: 'History on Telegram' }).waitFor();
      await routed.waitFor();
      await chat(place).waitFor();
      expect([await routed.count(), await chat(1 - place).count()]).toEqual([1, 0]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await open(page, 'To both');
    await expect.poll(() => routed.count(), MAX_MS).toBe(2);
  });

  it.each([
    { colorScheme: 'light', viewport: { width: 1440, height: 900 }, locale: 'en' },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'es' },
    { colorScheme: 'light', viewport: { width: 390, height: 844 }, locale: 'zh-CN' },
  ] as const)('has no serious axe finding and fits the screen: $colorScheme, $locale', async (options) => {
    const page = await stage.open(path, options);
    await open(page, 'On its way today');
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});
