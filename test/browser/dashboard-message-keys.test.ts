import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const MAX_MS = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The keys of a message in the inbox', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;
  let api: ApiClient;
  let chatId: string;
  let number: number;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start()]);
    api = stage.service.client();
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
    chatId = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    await telegram.post({ chatId, sender: 'Ada', text: 'Where is my order?' });
    const numbers = async () => {
      const { body } = await api.get<{ data: { number: number }[] }>('/openapi/conversations');
      return body.data.map((each) => each.number);
    };
    await waitUntil(async () => (await numbers()).length > 0);
    [number = 0] = await numbers();
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
  });

  const say = (text: string, more = {}) =>
    api.must(201, 'POST', '/openapi/messages', { conversation_id: number, text, ...more });
  const statusOf = async (id: unknown) => (await api.get(`/openapi/messages/${id}`)).body.status;
  const articleOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).first();
  /** The text of the message that has the focus. */
  const chosen = (page: Page) =>
    page.evaluate<string>(
      `(document.activeElement?.matches('article') ? document.activeElement.innerText : '')`,
    );

  async function open(): Promise<Page> {
    const page = await stage.open(`/inbox/${number}`);
    await articleOf(page, 'Where is my order?').waitFor();
    return page;
  }

  /** Presses an arrow key until this message has the focus. */
  async function choose(page: Page, text: string, key: 'ArrowUp' | 'ArrowDown' = 'ArrowUp'): Promise<void> {
    await articleOf(page, text).waitFor();
    await page.getByRole('log').focus();
    await expect
      .poll(async () => {
        await page.keyboard.press(key);
        return chosen(page);
      }, MAX_MS)
      .toContain(text);
  }

  it('select messages with the arrows from the newest one on, and leave them with Escape', async () => {
    for (const text of ['First answer', 'Second answer']) {
      const { id } = await say(text);
      await expect.poll(() => statusOf(id), MAX_MS).toBe('sent');
    }
    const page = await open();
    await articleOf(page, 'Second answer').waitFor();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen(page), MAX_MS).toContain('Second answer');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen(page), MAX_MS).toContain('First answer');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen(page), MAX_MS).toContain('Where is my order?');
    await page.keyboard.press('ArrowUp');
    expect(await chosen(page)).toContain('Where is my order?');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(page), MAX_MS).toContain('First answer');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.role'), MAX_MS).toBe('log');
  });

  it('reply with a quote, react, edit, copy and open the history', async () => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, 'Where is my order?');
    await page.keyboard.press('3');
    await articleOf(page, 'Where is my order?').getByRole('button', { name: '🎉, 1 reaction' }).waitFor();
    await choose(page, 'Where is my order?');
    await page.keyboard.press('c');
    await page.getByText('Text copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Where is my order?');
    await page.keyboard.press('h');
    await page.getByRole('dialog', { name: 'History of this message' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(page, 'First answer');
    await page.keyboard.press('m');
    await page.getByLabel('Text of the message').fill('Changed answer');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page), MAX_MS).toContain('Changed answer');
    await choose(page, 'Where is my order?');
    await page.keyboard.press('q');
    await page.getByText('Reply to Ada').waitFor();
    await page.keyboard.type('qmcn');
    await page.keyboard.press('Enter');
    await articleOf(page, 'qmcn').locator('blockquote').waitFor();
  });

  it('delete a message after a confirmation, and let the arrows continue at its position', async () => {
    const page = await open();
    await choose(page, 'Second answer');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await articleOf(page, 'Second answer').waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen(page), MAX_MS).toContain('Changed answer');
  });

  it('show why a message failed, without pointing at its status', async () => {
    telegram.faults.set({ call: 'sendMessage', fault: { kind: 'refused', code: 403 } });
    const { id } = await say('Refused by the platform');
    await expect.poll(() => statusOf(id), MAX_MS).toBe('failed');
    const { deliveries } = (await api.get<{ deliveries: Json[] }>(`/openapi/messages/${id}`)).body;
    const reasons = deliveries.map(({ error }) => String((error as Json).message));
    const page = await open();
    const failed = articleOf(page, 'Refused by the platform');
    await failed.getByText(reasons.join(), { exact: true }).waitFor();
  });

  it.each([
    ['y', 'sent'],
    ['n', 'failed'],
  ])('resolve an uncertain delivery: %s for %s', async (key, status) => {
    telegram.faults.set({ call: 'sendMessage', fault: { kind: 'drop_after' } });
    const { id } = await say(`Uncertain ${status}`);
    await expect.poll(() => statusOf(id), MAX_MS).toBe('uncertain');
    const page = await open();
    await articleOf(page, `Uncertain ${status}`).getByText('It arrived').waitFor();
    await choose(page, `Uncertain ${status}`);
    await page.keyboard.press(key);
    await expect.poll(() => statusOf(id), MAX_MS).toBe(status);
    if (status === 'sent') return;
    await articleOf(page, 'Uncertain failed').getByRole('button', { name: 'Try again' }).waitFor();
    await choose(page, 'Uncertain failed');
    await page.keyboard.press('t');
    await expect.poll(() => statusOf(id), MAX_MS).toBe('sent');
  });

  it('send a scheduled message at once', async () => {
    const { id } = await say('Tomorrow', { send_at: new Date(Date.now() + 86_400_000).toISOString() });
    const page = await open();
    await articleOf(page, 'Tomorrow').waitFor();
    await choose(page, 'Tomorrow');
    await page.keyboard.press('s');
    await expect.poll(() => statusOf(id), MAX_MS).toBe('sent');
  });

  it('have no effect while a text is written, and are listed and turned off under ?', async () => {
    const page = await open();
    const field = page.getByLabel('Write a message');
    await field.click();
    await page.keyboard.type('jkqm1chtyn?');
    await page.keyboard.press('ArrowUp');
    expect(await field.inputValue()).toBe('jkqm1chtyn?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await chosen(page)).toBe('');
    await field.fill('');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.role'), MAX_MS).toBe('log');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const name of [
      'Choose a message',
      'Copy text',
      'It did not arrive',
      'Delete, or discard what was not sent',
    ])
      await help
        .getByRole('region', { name: 'Chosen message' })
        .getByRole('definition')
        .getByText(name, { exact: true })
        .waitFor();
    await help.getByRole('button', { name: 'Turn shortcuts off' }).click();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await articleOf(page, 'Where is my order?').focus();
    await page.keyboard.press('h');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('?');
    await help.getByRole('button', { name: 'Turn shortcuts on' }).click();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
