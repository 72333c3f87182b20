import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('The text field of the inbox', () => {
  const telegram = new TelegramSimulator();
  const discord = new DiscordSimulator();
  let stage: DashboardStage;
  let chatId: string;
  let path: string;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start(), discord.start()]);
    const api = stage.service.client();
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
    for (const [name, text] of [
      ['Opening hours', 'We are open from nine to five.'],
      ['Order shipped', 'Hello {{user.display_name}}, your parcel {{number}} is on its way.'],
    ]) {
      await api.must(201, 'POST', '/openapi/templates', { name, text });
    }
    chatId = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await telegram.post({ chatId, sender: 'Ada', text: 'Where is my order?' });
    const numbers = async () => {
      const { body } = await api.get<{ data: { number: number }[] }>('/openapi/conversations');
      return body.data.map(({ number }) => number);
    };
    await waitUntil(async () => (await numbers()).length > 0);
    path = `/inbox/${(await numbers())[0]}`;
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await Promise.all([telegram.stop(), discord.stop()]);
  });

  const onTelegram = () => telegram.messages(chatId).flatMap(({ own, text }) => (own ? [text] : []));

  const wasSent = (page: Page, text: string) =>
    page.getByRole('article').filter({ hasText: text }).getByText('Telegram · sent').waitFor();

  it('offers templates after a slash, and selects the variable that has no value yet', async () => {
    const page = await stage.open(path);
    const field = page.getByLabel('Write a message');
    await field.pressSequentially('/o');
    const options = page.getByRole('listbox', { name: 'Templates' }).getByRole('option');
    await expect.poll(() => options.count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => field.inputValue())
      .toMatch(/^Hello Ada.*, your parcel \{\{number\}\} is on its way\.$/);
    await page.keyboard.type('42');
    await page.keyboard.press('Enter');
    await wasSent(page, 'your parcel 42');
    expect(onTelegram().at(-1)).toMatch(/^Hello Ada.*, your parcel 42 is on its way\.$/);
  });

  it('sends a text that begins with a slash after the suggestions were closed', async () => {
    const page = await stage.open(path);
    await page.getByLabel('Write a message').pressSequentially('/opening');
    await page.getByRole('option', { name: /Opening hours/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await wasSent(page, '/opening');
    expect(onTelegram().at(-1)).toBe('/opening');
  });

  it('offers members after an @ in a note, but not in a reply', async () => {
    const page = await stage.open(path);
    const field = page.getByLabel('Write a message');
    await page.getByRole('button', { name: 'Note' }).click();
    await field.pressSequentially('Please ask @own');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => field.inputValue()).toMatch(/^Please ask @\S+ $/);
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await field.fill('');
    await field.pressSequentially('Write to @own');
    expect(await page.getByRole('option').count()).toBe(0);
    await field.fill('');
  });

  it('shows how many messages a platform will receive while a text is written, and details on request', async () => {
    const page = await stage.open(path);
    const field = page.getByLabel('Write a message');
    await field.fill('Hello');
    const line = page.getByRole('button', { name: 'Telegram: 1 message' });
    await line.waitFor();
    await field.fill('word '.repeat(1_900));
    await page.getByRole('button', { name: 'Telegram: 3 messages' }).click();
    await page.getByRole('dialog', { name: 'What each platform gets' }).getByText('3 messages').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Note' }).click();
    await page.getByRole('button', { name: /Telegram: / }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await field.fill('');
    await page.getByRole('button', { name: /Telegram: / }).waitFor({ state: 'detached' });
  });

  it('formats the selection by a keyboard shortcut that the browser can undo, and shows the sent message formatted', async () => {
    const page = await stage.open(path);
    const field = page.getByLabel('Write a message');
    await field.fill('Parcel');
    await field.selectText();
    await page.keyboard.press('Control+b');
    expect(await field.inputValue()).toBe('Parcel');
    await page.getByRole('button', { name: 'Markdown' }).click();
    await field.selectText();
    await page.keyboard.press('Control+b');
    await expect.poll(() => field.inputValue()).toBe('**Parcel**');
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue()).toBe('Parcel');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('End');
    await page.keyboard.type(' [there](https://example.test/) [x](javascript:alert(1)) <b>y</b>');
    await page.keyboard.press('Enter');
    const sent = page.getByRole('article').filter({ hasText: 'Parcel there' });
    await sent.locator('strong', { hasText: 'Parcel' }).waitFor();
    const link = sent.getByRole('link', { name: 'there' });
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await sent.getByRole('link').count()).toBe(1);
    expect(await sent.locator('b').count()).toBe(0);
    await wasSent(page, 'Parcel there');
    expect(onTelegram().at(-1)).toBe('Parcel there x <b>y</b>');
    await page.getByRole('button', { name: 'Markdown' }).click();
  });

  it('schedules a message for later, which can then be sent at once', async () => {
    const page = await stage.open(path);
    await page.getByLabel('Write a message').fill('We open in an hour');
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: 'In one hour' }).click();
    const later = page.getByRole('article').filter({ hasText: 'We open in an hour' });
    await later.getByText(/^Scheduled for/).waitFor();
    expect(onTelegram()).not.toContain('We open in an hour');
    await later.getByRole('button', { name: 'Send now' }).click();
    await later.getByText('Telegram · sent').waitFor();
    expect(onTelegram()).toContain('We open in an hour');
  });

  it('refuses a time in the past and keeps the text', async () => {
    const page = await stage.open(path);
    const field = page.getByLabel('Write a message');
    await field.fill('Too late');
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: 'Choose a time…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send later' });
    await dialog.getByLabel('Time').fill('2026-01-01T09:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await dialog.getByText('Choose a time in the future').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await field.inputValue()).toBe('Too late');
  });

  it('sends the typing indicator to Telegram, and shows when a customer types on Discord', async () => {
    const api = stage.service.client();
    const connection = await api.must(201, 'POST', '/openapi/platforms/discord/connections', {
      name: 'Server',
      ...discord.account(),
    });
    const chat = discord.chats().find(({ kind }) => kind === 'group')?.id ?? '';
    const links = [{ connection_id: connection.id, external_id: chat }];
    await api.must(201, 'POST', '/openapi/conversations', { links, title: 'Discord group' });
    const page = await stage.open(path);
    await page.getByLabel('Write a message').fill('One moment');
    await expect.poll(() => telegram.ledger.entries('sendChatAction').length).toBeGreaterThan(0);
    await page.getByLabel('Write a message').fill('');
    await page.getByRole('link', { name: /Discord group/ }).click();
    await page.getByRole('heading', { name: 'Discord group' }).waitFor();
    const note = page.getByText('Grace is typing…');
    // The connection may not receive events yet.
    const isShown = async () => {
      discord.type(chat, 'Grace');
      return note.isVisible();
    };
    await expect.poll(isShown, { timeout: 30_000, interval: 500 }).toBe(true);
    await discord.post({ chatId: chat, sender: 'Grace', text: 'Anyone here?' });
    await page.getByRole('article').filter({ hasText: 'Anyone here?' }).waitFor();
    await note.waitFor({ state: 'detached' });
  });

  it('receives J and K as text while the person types, and lets them step through conversations otherwise', async () => {
    const page = await stage.open(path);
    await page.getByRole('link', { name: /Discord group/ }).waitFor();
    await page.getByLabel('Write a message').pressSequentially('jk');
    expect(page.url()).toContain(path);
    await page.getByLabel('Write a message').fill('');
    await page.getByRole('log', { name: 'Messages' }).focus();
    await page.keyboard.press('k');
    await page.getByRole('article').filter({ hasText: 'Anyone here?' }).waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(`**${path}`);
  });
});
