import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const MAX_MS = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The keys of the inbox', () => {
  let stage: DashboardStage;
  let api: ApiClient;

  beforeAll(async () => {
    stage = await DashboardStage.start('whole');
    api = stage.service.client();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  async function open(text: string): Promise<{ page: Page; number: number }> {
    const guest = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
    const { id, number } = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [guest.id],
    });
    await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text });
    const page = await stage.open(`/inbox/${number}`);
    await page.getByRole('article').filter({ hasText: text }).waitFor();
    return { page, number: Number(number) };
  }

  const focused = (page: Page) =>
    expect.poll(() => page.evaluate<string>('document.activeElement?.ariaLabel ?? ""'), MAX_MS);
  const statusOf = (number: number) =>
    expect.poll(async () => (await api.get(`/openapi/conversations/${number}`)).body.status, MAX_MS);
  const field = (page: Page) => page.getByLabel('Write a message');

  it('lead to the search, the filters, the labels, the details and a call', async () => {
    const { page } = await open('Where is my order?');
    await page.keyboard.press('/');
    await focused(page).toBe('Search people and messages');
    await page.getByRole('log').focus();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Filters', expanded: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('l');
    await focused(page).toBe('Add a label');
    await page.getByRole('log').focus();
    await page.keyboard.press('p');
    await page.getByRole('menuitem', { name: 'Voice call' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.getByRole('log').focus();
    await page.keyboard.press('i');
    await page.getByRole('dialog', { name: 'Details' }).waitFor();
  });

  it('write a note, attach files and choose when a message is sent', async () => {
    const { page } = await open('Is it open on Monday?');
    // Before the key, because the browser needs a moment until it hands over its choosers.
    const chooser = page.waitForEvent('filechooser', MAX_MS);
    await page.keyboard.press('w');
    await page.getByRole('button', { name: 'Note', exact: true, pressed: true }).waitFor();
    await focused(page).toBe('Write a message');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await field(page).fill('Yes, until noon.');
    await page.keyboard.press('Escape');
    await focused(page).not.toBe('Write a message');
    await page.keyboard.press('Shift+F');
    expect((await chooser).isMultiple()).toBe(true);
    await page.keyboard.press('Shift+S');
    await page.getByRole('menuitem', { name: 'In one hour' }).waitFor();
  });

  it('select conversations, resolve them and undo that', async () => {
    const { page, number } = await open('Thank you!');
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+E');
    await statusOf(number).toBe('resolved');
    await page.getByText('1 conversation resolved').waitFor();
    await page.keyboard.press('u');
    await statusOf(number).toBe('open');
  });

  it('snooze a conversation until a chosen time, which the header shows', async () => {
    const { page, number } = await open('Please call me tomorrow.');
    await page.keyboard.press('z');
    await page.getByRole('menuitem', { name: /^Tomorrow, 9:00/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await statusOf(number).toBe('snoozed');
    await page
      .locator('header')
      .getByText(/^Snoozed until .* 9:00/)
      .waitFor();
    await page.getByRole('log').focus();
    await page.keyboard.press('u');
    await statusOf(number).toBe('open');
    await page.locator('header').getByText('Open', { exact: true }).waitFor();
    await page.keyboard.press('z');
    await page.getByRole('menuitem', { name: 'Choose a time…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Snooze' });
    await dialog.getByLabel('Time', { exact: true }).fill('2020-01-01T09:00');
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await dialog.getByText('Choose a time in the future').waitFor();
  });

  it('step on from the place of a conversation that left the list, and keep the chosen row in view', async () => {
    const numbers: string[] = [];
    for (let row = 0; row < 20; row += 1) {
      const message = { text: `Row ${row}` };
      const guest = await api.must(201, 'POST', '/openapi/users', { display_name: `Guest ${row}` });
      const body = { participant_ids: [guest.id], message };
      numbers.unshift(String((await api.must(201, 'POST', '/openapi/conversations', body)).number));
    }
    const page = await stage.open(`/inbox/${numbers[2]}`);
    const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link');
    await rows.filter({ hasText: 'Row 19' }).waitFor();
    await page.getByRole('article').filter({ hasText: 'Row 17' }).waitFor();
    const opened = (at: number) => page.waitForURL(`**/inbox/${numbers[at]}`);
    await page.keyboard.press('e');
    await rows.filter({ hasText: 'Row 17' }).waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await opened(3);
    await page.keyboard.press('u');
    await rows.filter({ hasText: 'Row 17' }).waitFor();
    const order = (await rows.allInnerTexts()).slice(0, 4).map((text) => /Row \d+/.exec(text)?.[0]);
    expect(order).toEqual(['Row 19', 'Row 18', 'Row 17', 'Row 16']);
    for (let at = 4; at < 18; at += 1) {
      await page.keyboard.press('j');
      await opened(at);
    }
    const chosen = rows.and(page.locator('[data-status="active"]'));
    const isInView = async () => {
      const { y = -1, height = 0 } = (await chosen.boundingBox()) ?? {};
      return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
    };
    await expect.poll(isInView, MAX_MS).toBe(true);
  });

  it('retry a refused message, and discard another one', async () => {
    const { page } = await open('And on Sunday?');
    const refuse = () =>
      page.route(
        '**/openapi/messages',
        (route) =>
          route.fulfill({
            status: 422,
            json: {
              error: { type: 'invalid_request_error', code: 'validation_failed', message: 'Not today.' },
            },
          }),
        { times: 1 },
      );
    const say = async (text: string) => {
      await field(page).fill(text);
      await field(page).press('Enter');
      await field(page).press('Escape');
      const refused = page.getByRole('article').filter({ hasText: text });
      await refused.getByText('Not sent').waitFor();
      // The newest message is the last one that this key reaches.
      const pressed = async () => {
        await page.keyboard.press('ArrowDown');
        return refused.and(page.locator(':focus')).count();
      };
      await expect.poll(pressed, MAX_MS).toBe(1);
      return refused;
    };
    await refuse();
    const first = await say('We are closed on Sunday.');
    await page.keyboard.press('t');
    await first.getByText('Not sent').waitFor({ state: 'detached' });
    await first.waitFor();
    await refuse();
    const second = await say('Come on Monday.');
    await page.keyboard.press('Delete');
    await second.waitFor({ state: 'detached' });
    await stage.leave(/status of 422/, /status of 422/);
  });
});
