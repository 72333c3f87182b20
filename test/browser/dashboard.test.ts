import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type Visitor } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PHONE = { width: 390, height: 844 };

/** How browsers report the Enter key that chooses a word of an input method. */
const INPUT_METHOD_ENTERS = `(element) => {
  const init = { key: 'Enter', bubbles: true, cancelable: true };
  element.dispatchEvent(new KeyboardEvent('keydown', { ...init, isComposing: true }));
  element.dispatchEvent(new KeyboardEvent('keydown', { ...init, keyCode: 229 }));
  element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  element.dispatchEvent(new KeyboardEvent('keydown', init));
}`;

describe.skipIf(!hasChromium())('The dashboard in a browser', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterAll(() => stage?.stop());
  afterEach(() => stage.leave());

  const open = (path: string, options?: Parameters<DashboardStage['open']>[1]) => stage.open(path, options);

  async function startConversation(title: string, text: string): Promise<number> {
    const { body: contact } = await stage.service
      .client()
      .post('/openapi/users', { display_name: `Guest of ${title}` });
    const { body } = await stage.service
      .client()
      .post('/openapi/conversations', { title, participant_ids: [contact.id], message: { text } });
    return Number(body.number);
  }

  it('returns from the sign-in page to the requested screen', async () => {
    const number = await startConversation('Order 4711', 'Where is it?');
    const page = await open(`/inbox/${number}`);
    await page.getByRole('heading', { name: 'Order 4711' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/inbox/${number}`);
  });

  it('shows a new conversation in the inbox without a reload', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await startConversation('Came later', 'Hello from the other side');
    await page.getByRole('link', { name: /Came later.*Hello from the other side/ }).waitFor();
  });

  it('follows the service with one stream for all tabs, which another tab takes over when the first one closes', async () => {
    const first = await open('/inbox');
    await first.getByRole('heading', { name: 'Inbox' }).waitFor();
    await first.waitForFunction('navigator.locks.query().then(({ held }) => held.length === 1)');
    const [visitor] = stage.visitors;
    const second = (await visitor?.context.newPage()) as typeof first;
    // The first tab has the lock and may open its stream only now.
    const streams: string[] = [];
    second.on('request', (request) => {
      if (request.url().includes('/events/stream')) streams.push(request.url());
    });
    await second.goto(`${stage.service.url}/dashboard/inbox`);
    await second.getByRole('heading', { name: 'Inbox' }).waitFor();
    await startConversation('Both tabs', 'Hello');
    for (const page of [first, second]) await page.getByRole('link', { name: /Both tabs/ }).waitFor();
    expect(streams).toEqual([]);
    await first.close();
    await startConversation('The tab that is left', 'Hello');
    await second.getByRole('link', { name: /The tab that is left/ }).waitFor();
    expect(streams).toHaveLength(1);
  });

  const composer = (page: Visitor['page']) => page.getByLabel('Write a message');

  async function textsOf(number: number): Promise<unknown[]> {
    const { body } = await stage.service
      .client()
      .get(`/openapi/messages?conversation_id=${number}&order=asc`);
    return (body.data as { text: string }[]).map(({ text }) => text);
  }

  it('sends a message once when the network is cut before or after the service has received it', async () => {
    const number = await startConversation('Cut', 'Hello');
    const page = await open(`/inbox/${number}`);
    await composer(page).fill('Answer');
    let tries = 0;
    await page.route('**/dashboard/api/openapi/messages', async (route) => {
      tries += 1;
      if (tries === 1) return route.abort('internetdisconnected');
      if (tries === 2) await route.fetch();
      return tries === 2 ? route.abort('connectionreset') : route.continue();
    });
    await composer(page).press('Enter');
    await page.getByText('Sending…').waitFor();
    await page.getByText('Sending…').waitFor({ state: 'detached' });
    await expect.poll(() => tries, { timeout: 20_000 }).toBe(3);
    expect(await page.getByRole('log').getByText('Answer', { exact: true }).count()).toBe(1);
    expect(await textsOf(number)).toEqual(['Hello', 'Answer']);
    const [visitor] = stage.visitors;
    visitor?.forgive(/INTERNET_DISCONNECTED/);
    visitor?.forgive(/CONNECTION_RESET/);
  });

  it('does not send on the Enter of an input method, and keeps the draft', async () => {
    const number = await startConversation('Draft', 'Hello');
    const page = await open(`/inbox/${number}`);
    await composer(page).fill('にほん');
    await page.evaluate(`(${INPUT_METHOD_ENTERS})(document.querySelector('[data-composer]'))`);
    await page.reload();
    await expect.poll(() => composer(page).inputValue()).toBe('にほん');
    expect(await textsOf(number)).toEqual(['Hello']);
  });

  it('resolves a conversation by a key, undoes that, and ignores shortcuts while the person types', async () => {
    const number = await startConversation('Keys', 'Hello');
    const page = await open(`/inbox/${number}`);
    await composer(page).pressSequentially('e?');
    expect(await composer(page).inputValue()).toBe('e?');
    await page.getByRole('log').focus();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    const { body } = await stage.service.client().get(`/openapi/conversations/${number}`);
    expect(body.status).toBe('open');
  });

  it('names the workspace in the first steps, and shows a command that sends a message to the inbox', async () => {
    await startConversation('First steps', 'Hello');
    const page = await open('/welcome');
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByLabel('Name').fill('Acme support');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('navigation').getByText('Acme support').waitFor();
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByRole('region', { name: 'API key' }).waitFor();
    const command = await page.getByRole('region', { name: 'Command' }).last().innerText();
    const [, key = ''] = /X-API-Key: (\S+)'/.exec(command) ?? [];
    const [, body = ''] = /-d '(.+)'/.exec(command) ?? [];
    await stage.service.client(key).post('/openapi/messages', JSON.parse(body));
    await page.goto(`${stage.service.url}/dashboard/inbox`);
    await page.getByRole('link', { name: /First steps.*Hello from the API/ }).waitFor();
  });

  it('creates an API key that works, and revokes it', async () => {
    const page = await open('/developers/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Web shop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.getByRole('region', { name: 'The key', exact: true }).textContent()) ?? '';
    expect(key).toMatch(/^tl_live_[0-9A-Za-z]{49}$/);
    expect((await stage.service.client(key).get('/openapi/conversations')).status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for Web shop' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/^Revoked \d/).waitFor();
    expect((await stage.service.client(key).get('/openapi/conversations')).status).toBe(401);
  });

  it.each([
    ['en', 'Inbox'],
    ['es', 'Bandeja'],
    ['zh-CN', '收件箱'],
  ])('uses the language of the browser: %s', async (locale, title) => {
    const page = await open('/inbox', { viewport: PHONE, locale });
    await page.getByRole('heading', { name: title }).waitFor();
  });

  it('shows the component kit on a phone in dark mode, with hostile texts as plain text', async () => {
    const page = await open('/kit', { viewport: PHONE, colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Kit' }).waitFor();
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});
