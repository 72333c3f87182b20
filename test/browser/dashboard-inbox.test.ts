import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { type Service, startService } from '../support/service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

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
    await page.getByLabel('Search all messages').fill('"BLUE" parcel,');
    await page.getByRole('list', { name: 'Messages found' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Parcels' }).waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe(`/dashboard/inbox/${number}`);
    expect(searchParams.get('q')).toBe('"BLUE" parcel,');
    await page.reload();
    await page.getByRole('list', { name: 'Messages found' }).getByText('"blue" parcel,').waitFor();
  });

  it('says that nothing was found, and how long a search has to be', async () => {
    const page = await open('/inbox');
    await page.getByLabel('Search all messages').fill('ab');
    await page.getByText('Write at least 3 characters.').waitFor();
    await page.getByLabel('Search all messages').fill('words of no message');
    await page.getByText('No message contains this').waitFor();
  });

  it('narrows the list by label and keeps the choice after a reload', async () => {
    await startConversation('With label', 'Hello', { labels: ['very, "important"'] });
    await startConversation('Without label', 'Hello');
    const page = await open('/inbox');
    await rowOf(page, 'Without label').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Label').fill('very, "important"');
    await page.getByLabel('Label').press('Enter');
    await rowOf(page, 'Without label').waitFor({ state: 'detached' });
    await page.reload();
    await rowOf(page, 'With label').waitFor();
    expect(await rowOf(page, 'Without label').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowOf(page, 'Without label').waitFor();
  });

  it('counts the conversations of each view in two tabs at once', async () => {
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
});
