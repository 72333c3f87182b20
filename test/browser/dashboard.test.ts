import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { OWNER_EMAIL, OWNER_PASSWORD, type Service, startService } from '../support/service.js';

const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasChromium())('The dashboard in a browser', () => {
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

  /** Opens a screen without a session, and signs in where that leads. */
  async function open(path: string, options?: Parameters<typeof visit>[2]): Promise<Visitor['page']> {
    const visitor = await visit(browser, [service.url], options);
    visitors.push(visitor);
    const { page } = visitor;
    await page.goto(`${service.url}/dashboard${path}`);
    await page.getByLabel('E-mail address').fill(OWNER_EMAIL);
    await page.getByLabel('Password').fill(OWNER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    visitor.forgive(/status of 401 .*dashboard\/api\/session/);
    return page;
  }

  async function startConversation(title: string, text: string): Promise<number> {
    const { body: contact } = await service
      .client()
      .post('/openapi/users', { display_name: `Guest of ${title}` });
    const { body } = await service
      .client()
      .post('/openapi/conversations', { title, participant_ids: [contact.id], message: { text } });
    return Number(body.number);
  }

  it('leads through the sign-in page to the screen that was asked for', async () => {
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

  it('fits a phone, in each of its languages', async () => {
    for (const [locale, title] of [
      ['en', 'Inbox'],
      ['es', 'Bandeja'],
      ['zh-CN', '收件箱'],
    ] as const) {
      const page = await open('/inbox', { viewport: PHONE, locale });
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    }
  });

  it('shows every component of the kit, and hostile texts as text', async () => {
    const page = await open('/kit', { viewport: PHONE, colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Kit' }).waitFor();
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});
