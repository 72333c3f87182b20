import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

/** An image of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Pastes or drops a file, as a user does from another program. */
const GIVE_FILE = `(kind, name, element) => {
  const data = new DataTransfer();
  data.items.add(new File(['content of ' + name], name, { type: 'text/plain' }));
  const init = { bubbles: true, cancelable: true };
  element.dispatchEvent(
    kind === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: data })
      : new DragEvent('drop', { ...init, dataTransfer: data }),
  );
}`;

const giving = (kind: 'paste' | 'drop', name: string, selector: string) =>
  `(${GIVE_FILE})('${kind}', '${name}', document.querySelector('${selector}'))`;

describe.skipIf(!hasChromium())('The inbox in a browser', () => {
  let browser: Browser;
  let service: Service;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(async () => {
    const left = visitors.splice(0);
    await Promise.all(left.map(({ context }) => context.close()));
    expect(left.flatMap(({ faults }) => faults)).toEqual([]);
  });

  async function open(path: string): Promise<Page> {
    const visitor = await visit(browser, [service.url]);
    visitors.push(visitor);
    const { page } = visitor;
    await page.goto(`${service.url}/dashboard${path}`);
    await page.getByLabel('E-mail address').fill(OWNER_EMAIL);
    await page.getByLabel('Password').fill(OWNER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    visitor.forgive(/status of 401 .*dashboard\/api\/session/);
    return page;
  }

  async function startConversation(title: string, text: string, more = {}): Promise<number> {
    const client = service.client();
    const { body: contact } = await client.post('/openapi/users', { display_name: `Guest of ${title}` });
    const { body } = await client.post('/openapi/conversations', {
      title,
      participant_ids: [contact.id],
      message: { text },
      ...more,
    });
    return Number(body.number);
  }

  const rowOf = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(title) });

  it('finds a message by a part of its text and keeps the search in the address', async () => {
    const number = await startConversation('Parcels', 'The "blue" parcel, number 4711, is late');
    const page = await open('/inbox');
    await page.getByLabel('Search people and messages').fill('"BLUE" parcel,');
    await page.getByRole('list', { name: 'Messages found' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Parcels' }).waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe(`/dashboard/inbox/${number}`);
    expect(searchParams.get('q')).toBe('"BLUE" parcel,');
    await page.reload();
    await page.getByRole('list', { name: 'Messages found' }).getByText('"blue" parcel,').waitFor();
  });

  it('leaves the place of a name empty while it is being loaded', async () => {
    const number = await startConversation('Sally', 'A slow question', { title: null });
    const page = await open('/inbox');
    await rowOf(page, 'Guest of Sally').waitFor();
    const held: Route[] = [];
    await page.route(/\/openapi\/users\?/, (route) => void held.push(route));
    await page.reload();
    await rowOf(page, 'A slow question').waitFor();
    expect(await page.getByText(`Conversation ${number}`).count()).toBe(0);
    await Promise.all(held.map((route) => route.continue()));
    await rowOf(page, 'Guest of Sally').waitFor();
  });

  it('finds the conversations of people by their name or number, without the messages', async () => {
    const api = service.client();
    const found = { display_name: 'Wilhelmina Quux', phone: '+441632960777' };
    const { id } = await api.must(201, 'POST', '/openapi/users', found);
    const { number } = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [id],
      message: { text: 'Good morning' },
    });
    const page = await open('/inbox');
    const field = page.getByLabel('Search people and messages');
    const people = page.getByRole('region', { name: 'Conversations of people found' });
    for (const text of ['mina quu', '+44 1632 960777']) {
      await field.fill(text);
      await people.getByRole('link', { name: /Wilhelmina Quux/ }).waitFor();
      await field.fill('');
      await people.waitFor({ state: 'detached' });
    }
    await field.fill('Quux');
    await people.getByRole('link', { name: /Wilhelmina Quux/ }).click();
    await page.waitForURL(`**/inbox/${number}?*`);
  });

  it('gives an open conversation the space of the bar on a phone', async () => {
    const number = await startConversation('On a phone', 'Hello');
    const page = await open(`/inbox/${number}`);
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('log', { name: 'Messages' }).waitFor();
    expect(await bar.count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await bar.getByRole('link', { name: 'Contacts' }).waitFor();
  });

  it('reports an empty result and the minimum length of a search', async () => {
    const page = await open('/inbox');
    await page.getByLabel('Search people and messages').fill('ab');
    await page.getByText('Write at least 3 characters.').waitFor();
    await page.getByLabel('Search people and messages').fill('words of no message');
    await page.getByText('Nothing found').waitFor();
  });

  it('narrows the list by label and keeps the choice after a reload', async () => {
    await startConversation('With label', 'Hello', { labels: ['very, "important"'] });
    await startConversation('Without label', 'Hello');
    const page = await open('/inbox');
    await rowOf(page, 'Without label').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Label', { exact: true }).fill('very, "important"');
    await page.getByLabel('Label', { exact: true }).press('Enter');
    await rowOf(page, 'Without label').waitFor({ state: 'detached' });
    await page.reload();
    await rowOf(page, 'With label').waitFor();
    expect(await rowOf(page, 'Without label').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowOf(page, 'Without label').waitFor();
  });

  it('updates the count and the list of a view in two tabs at once', async () => {
    const number = await startConversation('Counted', 'Hello');
    const first = await open('/inbox?status=pending');
    const second = await open('/inbox?status=pending');
    for (const page of [first, second]) await page.getByText('No conversations here').waitFor();
    await service.client().patch(`/openapi/conversations/${number}`, { status: 'pending' });
    for (const page of [first, second]) {
      await page.getByRole('button', { name: 'Unassigned 1' }).waitFor();
      await rowOf(page, 'Counted').waitFor();
    }
  });

  it('sends chosen, pasted and dropped files, except removed ones', async () => {
    const number = await startConversation('Files', 'Hello');
    const page = await open(`/inbox/${number}`);
    const files = page.getByRole('list', { name: 'Files of this message' });
    await page.getByRole('log').waitFor();
    const chosen = { name: 'chosen.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };
    await page.locator('input[type=file]').setInputFiles([chosen, { ...chosen, name: 'removed.png' }]);
    await page.evaluate(giving('paste', 'pasted.txt', '[data-composer]'));
    await page.evaluate(giving('drop', 'dropped.txt', '[role=log]'));
    await page.getByRole('button', { name: 'Remove removed.png' }).click();
    await expect.poll(() => files.getByRole('listitem').count()).toBe(3);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const log = page.getByRole('log');
    await log.getByRole('img', { name: 'chosen.png' }).waitFor();
    for (const name of ['pasted.txt', 'dropped.txt']) await log.getByText(name).waitFor();
    const { body } = await service.client().get(`/openapi/messages?conversation_id=${number}&limit=1`);
    const [message] = body.data as { attachments: { name: string }[] }[];
    expect(message?.attachments.map(({ name }) => name)).toEqual(['chosen.png', 'pasted.txt', 'dropped.txt']);
  });

  it('refuses an eleventh file and says why', async () => {
    const page = await open(`/inbox/${await startConversation('Many files', 'Hello')}`);
    await page.getByLabel('Write a message').waitFor();
    const one = { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') };
    await page.locator('input[type=file]').setInputFiles(Array.from({ length: 11 }, () => one));
    await page.getByText('A message has at most 10 files.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove one.txt' }).count()).toBe(10);
  });

  it('keeps a note internal, also when its draft is restored after a reload', async () => {
    const number = await startConversation('Notes', 'Hello');
    const page = await open(`/inbox/${number}`);
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByLabel('Write a message').fill('Call them first');
    await page.reload();
    await page.getByRole('button', { name: 'Add note' }).click();
    const note = page.getByRole('article').filter({ hasText: 'Call them first' });
    await note.getByText('Internal note').waitFor();
    const stored = async () =>
      (await service.client().get(`/openapi/messages?conversation_id=${number}&limit=1`)).body.data;
    await expect
      .poll(stored)
      .toMatchObject([{ text: 'Call them first', direction: 'internal', deliveries: [] }]);
  });

  it('resolves several conversations at once, and opens them again on undo', async () => {
    const numbers = [await startConversation('Bulk one', 'Hello'), await startConversation('Bulk two', 'Hi')];
    const page = await open('/inbox');
    for (const title of ['Bulk one', 'Bulk two']) {
      await rowOf(page, title).hover();
      await page.getByRole('checkbox', { name: `Select ${title}` }).click();
    }
    const toolbar = page.getByRole('toolbar');
    await toolbar.getByText('2 selected').waitFor();
    await toolbar.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('2 conversations resolved').waitFor();
    await rowOf(page, 'Bulk one').waitFor({ state: 'detached' });
    expect(await toolbar.count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    for (const title of ['Bulk one', 'Bulk two']) await rowOf(page, title).waitFor();
    for (const number of numbers) {
      const { body } = await service.client().get(`/openapi/conversations/${number}`);
      expect(body.status).toBe('open');
    }
  });
});
