import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

interface Found {
  readonly id: string;
  readonly number: number;
  readonly labels: string[];
  readonly assignee_id: string | null;
  readonly priority: string;
  readonly links: { readonly external_id: string }[];
}

const MESSAGES = 120;

describe.skipIf(!hasChromium())('A conversation of the inbox', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;
  let groupId: string;
  let number: number;

  const found = async (): Promise<Found> => {
    const { body } = await stage.service.client().get<Found>(`/openapi/conversations/${number}`);
    return body;
  };

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start()]);
    const api = stage.service.client();
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
    const chatOf = (wanted: string) => telegram.chats().find(({ kind }) => kind === wanted)?.id ?? '';
    groupId = chatOf('group');
    await telegram.post({ chatId: chatOf('direct'), sender: 'Ada', text: 'Where is my order?' });
    const list = async () =>
      (await api.get<{ data: Found[] }>('/openapi/conversations')).body.data.map((each) => each.number);
    await waitUntil(async () => (await list()).length > 0);
    [number = 0] = await list();
    const { id } = await found();
    for (let count = 1; count <= MESSAGES; count += 1) {
      const text = count === 20 ? 'The parcel is green' : `Note ${count}`;
      await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text, internal: true });
    }
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
  });

  it('can be given an assignee, a priority and labels, and the removal of a label can be undone', async () => {
    const page = await stage.open(`/inbox/${number}`, { viewport: { width: 1440, height: 900 } });
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByLabel('Assignee').click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await expect.poll(async () => (await found()).assignee_id).not.toBeNull();
    await details.getByLabel('Priority').click();
    await page.getByRole('option', { name: 'Urgent' }).click();
    await expect.poll(async () => (await found()).priority).toBe('urgent');
    await details.getByLabel('Add a label').fill('vip');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await found()).labels).toEqual(['vip']);
    await details.getByRole('button', { name: 'Remove the label vip' }).click();
    await expect.poll(async () => (await found()).labels).toEqual([]);
    const toast = page.getByRole('dialog').filter({ hasText: 'Label removed' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await found()).labels).toEqual(['vip']);
  });

  it('shows the local time, the language, the opt-outs and the metadata of its customer', async () => {
    const api = stage.service.client();
    const { body } = await api.get<{ data: { id: string }[] }>('/openapi/users?filter=kind:contact');
    const customer = body.data[0]?.id;
    await api.must(200, 'PATCH', `/openapi/users/${customer}`, {
      timezone: 'Asia/Tokyo',
      locale: 'ja',
      metadata: { plan: 'gold', orders: 12, tags: ['vip'] },
      status: 'blocked',
    });
    const page = await stage.open(`/inbox/${number}`, { viewport: { width: 1440, height: 900 } });
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText(/\d+:\d\d.* in Asia\/Tokyo/).waitFor();
    for (const text of ['Japanese', 'plan', 'gold', '12', '["vip"]', 'Blocked: gets no messages'])
      await details.getByText(text, { exact: true }).waitFor();
    await api.must(200, 'PATCH', `/openapi/users/${customer}`, { status: 'active', locale: null });
    await details.getByText('Blocked: gets no messages').waitFor({ state: 'detached' });
    await details.getByText('Japanese').waitFor({ state: 'detached' });
  });

  it('can be linked to another chat and unlinked again on a phone', async () => {
    const page = await stage.open(`/inbox/${number}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Link a chat' }).click();
    const form = page.getByRole('dialog', { name: 'Link a chat' });
    await form.getByLabel('Chat ID').fill(groupId);
    await form.getByRole('button', { name: 'Link a chat' }).click();
    await expect
      .poll(async () => (await found()).links.map(({ external_id }) => external_id))
      .toContain(groupId);
    const unlink = page.getByRole('button', { name: /^Unlink / });
    await expect.poll(() => unlink.count()).toBe(2);
    await unlink.last().click();
    const question = page.getByRole('dialog', { name: 'Unlink this chat?' });
    await question.getByRole('button', { name: 'Unlink' }).click();
    await expect
      .poll(async () => (await found()).links.map(({ external_id }) => external_id))
      .not.toContain(groupId);
  });

  it('marks the chat ID as invalid when the chat cannot be linked', async () => {
    const page = await stage.open(`/inbox/${number}`, { viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'Link a chat' }).click();
    const form = page.getByRole('dialog', { name: 'Link a chat' });
    await form.getByLabel('Chat ID').fill('-1009999999999');
    await form.getByRole('button', { name: 'Link a chat' }).click();
    await form.getByText(/chat/i).last().waitFor();
    await expect.poll(() => form.getByLabel('Chat ID').getAttribute('aria-invalid')).toBe('true');
    await stage.leave(/status of 400/);
  });

  it('opens at a message that was found, loads newer messages on scrolling, and returns to the newest one', async () => {
    const page = await stage.open(`/inbox?q=${encodeURIComponent('parcel is green')}`, {
      viewport: { width: 1440, height: 900 },
    });
    await page.getByRole('list', { name: 'Messages found' }).getByRole('link').click();
    const log = page.getByRole('log', { name: 'Messages' });
    await log.getByText('The parcel is green').waitFor();
    expect(await log.getByText('Note 119', { exact: true }).count()).toBe(0);
    await log.hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 2_000);
        return log.getByText(`Note ${MESSAGES}`, { exact: true }).isVisible();
      })
      .toBe(true);
    await page.reload();
    await log.getByText('The parcel is green').waitFor();
    await page.getByRole('button', { name: 'Go to the newest message' }).click();
    await log.getByText(`Note ${MESSAGES}`, { exact: true }).waitFor();
    expect(page.url()).not.toContain('message=');
  });
});
