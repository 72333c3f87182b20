import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import { hasChromium, visit } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('A message in the inbox', () => {
  const telegram = new TelegramSimulator();
  let stage: DashboardStage;
  let chatId: string;
  let path: string;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start()]);
    const api = stage.service.client();
    await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
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
    await telegram.stop();
  });

  const onTelegram = () => telegram.messages(chatId).filter(({ own }) => own);

  it('counts as unread in the titles of all tabs until one of them shows it', async () => {
    const first = await stage.open('/contacts');
    await expect.poll(() => first.title(), { timeout: 30_000 }).toBe('(1) Contacts – Trunkline');
    expect(await first.locator('link[rel="icon"]').getAttribute('href')).toBe('/dashboard/icon-unread.svg');
    const second = await stage.open(path);
    await second.getByRole('article', { name: 'Message by Ada' }).first().waitFor();
    for (const [page, title] of [
      [first, 'Contacts – Trunkline'],
      [second, 'Inbox – Trunkline'],
    ] as const) {
      await expect.poll(() => page.title(), { timeout: 30_000 }).toBe(title);
    }
    expect(await first.locator('link[rel="icon"]').getAttribute('href')).toBe('/dashboard/icon.svg');
  });

  it('shows in the header of its conversation which other member has the conversation open', async () => {
    const page = await stage.open(path);
    await page.getByRole('article', { name: 'Message by Ada' }).first().waitFor();
    const url = `${stage.service.url}/dashboard/api`;
    const { csrf_token: token } = await (await page.request.get(`${url}/session`)).json();
    const invited = await page.request.post(`${url}/members`, {
      headers: { 'x-csrf-token': token },
      data: { email: 'grace@example.test', role: 'member' },
    });
    const { invite_url: link } = await invited.json();
    const password = 'password of grace';
    const visitor = await visit(stage.browser, [stage.service.url]);
    stage.visitors.push(visitor);
    const other = visitor.page;
    await other.request.post(`${url}/invitations/${String(link).split('/').at(-1)}`, {
      data: { password, username: 'grace', display_name: 'Grace Hopper' },
    });
    await other.goto(`${stage.service.url}/dashboard${path}`);
    await other.getByRole('button', { name: /has this conversation open/ }).waitFor();
    const grace = page.getByRole('button', { name: 'Grace Hopper has this conversation open' });
    await grace.waitFor();
    await other.getByRole('link', { name: 'Contacts' }).click();
    await grace.waitFor({ state: 'detached' });
  });

  it('stays within its area if it is one very long word, combining marks or bidirectional overrides', async () => {
    const api = stage.service.client();
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [],
      title: 'Hostile',
    });
    const texts = ['x'.repeat(10_000), `e${'\u0301'.repeat(9_999)}`, `\u202E${'fdp.'.repeat(50)}`];
    for (const text of texts) {
      for (const content_type of ['text', 'markdown']) {
        await api.must(201, 'POST', '/openapi/messages', {
          conversation_id: conversation.id,
          text,
          content_type,
        });
      }
    }
    await api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text: 'After all' });
    const page = await stage.open(`/inbox/${conversation.number}`);
    const list = page.getByRole('log', { name: 'Messages' });
    const last = page.getByRole('article').filter({ hasText: 'After all' });
    await last.waitFor();
    expect(await list.evaluate((log) => log.scrollWidth - log.clientWidth)).toBe(0);
    // Nothing is painted over the header of the next message: text that overflows is clipped.
    const clipped = await page.evaluate<string[]>(
      `[...document.querySelectorAll('article .untrusted')].map((each) => getComputedStyle(each).overflowX)`,
    );
    // The name is shown once for all messages in a row.
    expect(clipped.length).toBeGreaterThan(4);
    expect(clipped).not.toContain('visible');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  it('is found by scrolling up past more than a hundred newer messages of the same day', async () => {
    const api = stage.service.client();
    const { id, number } = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [],
      title: 'Long',
    });
    for (let n = 1; n <= 130; n += 1)
      await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text: `Line ${n}.` });
    const page = await stage.open(`/inbox/${number}`);
    const log = page.getByRole('log');
    await log.getByText('Line 130.', { exact: true }).waitFor();
    await log.hover();
    const oldest = log.getByText('Line 1.', { exact: true });
    const scroll = async () => {
      await page.mouse.wheel(0, -2_000);
      return oldest.count();
    };
    await expect.poll(scroll, { timeout: 30_000 }).toBe(1);
  });

  it('is answered with a quote, which Telegram shows as a reply', async () => {
    const page = await stage.open(path);
    const question = page.getByRole('article', { name: 'Message by Ada' }).first();
    await question.hover();
    await question.getByRole('button', { name: 'Actions of the message by Ada' }).click();
    await page.getByRole('menuitem', { name: 'Reply' }).click();
    await page.getByText('Reply to Ada').waitFor();
    await page.reload();
    await page.getByText('Reply to Ada').waitFor();
    await page.getByLabel('Write a message').fill('On its way');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article').filter({ hasText: 'On its way' }).locator('blockquote').waitFor();
    await page.getByText('Reply to Ada').waitFor({ state: 'detached' });
    const [first] = telegram.messages(chatId);
    await expect.poll(onTelegram).toEqual([expect.objectContaining({ replyToId: first?.id })]);
  });

  it('is edited in place and on Telegram, and shows its former version', async () => {
    const page = await stage.open(path);
    const own = page.getByRole('article').filter({ hasText: 'On its way' });
    await own.getByText('Telegram · sent').waitFor();
    await own.hover();
    await own.getByRole('button', { name: /Actions of the message/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Text of the message').fill('It arrives today');
    await page.keyboard.press('Enter');
    await page.getByText('It arrives today').waitFor();
    await page.getByRole('button', { name: 'edited' }).click();
    const history = page.getByRole('dialog', { name: 'Former versions' });
    await history.getByText('On its way').waitFor();
    await page.keyboard.press('Escape');
    await expect
      .poll(onTelegram)
      .toEqual([expect.objectContaining({ text: 'It arrives today', edited: true })]);
  });

  it('can receive a reaction, which can be removed again', async () => {
    const page = await stage.open(path);
    const question = page.getByRole('article', { name: 'Message by Ada' }).first();
    await question.hover();
    await question.getByRole('button', { name: 'Actions of the message by Ada' }).click();
    await page.getByRole('menuitem', { name: 'React with 🎉' }).click();
    const reaction = question.getByRole('button', { name: '🎉, 1 reaction' });
    await reaction.waitFor();
    expect(await reaction.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => telegram.messages(chatId)[0]?.reactions).toEqual(['🎉']);
    await reaction.click();
    await reaction.waitFor({ state: 'detached' });
    await expect.poll(() => telegram.messages(chatId)[0]?.reactions ?? []).toEqual([]);
  });

  it('is deleted after a confirmation, here and on Telegram', async () => {
    const page = await stage.open(path);
    const own = page.getByRole('article').filter({ hasText: 'It arrives today' });
    await own.hover();
    await own.getByRole('button', { name: /Actions of the message/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('every platform that allows it').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await own.waitFor({ state: 'detached' });
    await expect.poll(() => onTelegram().map(({ deleted }) => deleted)).toEqual([true]);
  });

  it('cannot be edited or deleted if a customer wrote it', async () => {
    const page = await stage.open(path);
    const question = page.getByRole('article', { name: 'Message by Ada' }).first();
    await question.hover();
    await question.getByRole('button', { name: 'Actions of the message by Ada' }).click();
    await page.getByRole('menuitem', { name: 'Reply' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Edit|Delete/ }).count()).toBe(0);
  });
});
