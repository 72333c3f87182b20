import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const MAX_MS = { timeout: 30_000 };

describe.skipIf(!hasChromium())('A draft in two browsers', () => {
  let stage: DashboardStage;
  let api: ApiClient;

  beforeAll(async () => {
    stage = await DashboardStage.start();
    api = stage.service.client();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  async function conversation(): Promise<Json> {
    const guest = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
    const made = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [guest.id] });
    await api.must(201, 'POST', '/openapi/messages', { conversation_id: made.id, text: 'Where is it?' });
    return made;
  }

  const field = (page: Page) => page.getByLabel('Write a message');
  const textOf = (page: Page) => expect.poll(() => field(page).inputValue(), MAX_MS);
  /** Simulates a user who returns to the page. */
  const comeBack = (page: Page) => page.evaluate('dispatchEvent(new Event("focus"))');

  async function open({ number }: Json): Promise<Page> {
    const page = await stage.open(`/inbox/${number}`);
    await field(page).waitFor();
    return page;
  }

  /** Waits until the service has the text. */
  async function stored(page: Page, { id }: Json, text: string | undefined): Promise<void> {
    const read = async () => {
      const answer = await page.request.get(`${stage.service.url}/dashboard/api/conversations/${id}/draft`);
      return (await answer.json()).draft?.text;
    };
    await expect.poll(read, MAX_MS).toBe(text);
  }

  it('appears in the second browser with its kind and its reply, and disappears from the first after it is sent', async () => {
    const about = await conversation();
    const first = await open(about);
    await first.getByRole('button', { name: 'Note', exact: true }).click();
    const question = first.getByRole('article').first();
    await question.hover();
    await question.getByRole('button', { name: /Actions of the message/ }).click();
    await first.getByRole('menuitem', { name: 'Reply' }).click();
    await field(first).fill('For the team');
    await stored(first, about, 'For the team');
    const second = await open(about);
    await textOf(second).toBe('For the team');
    await second.getByRole('button', { name: 'Note', exact: true, pressed: true }).waitFor();
    await second.getByText(/^Reply to/).waitFor();
    await field(second).press('Enter');
    await second
      .getByRole('article')
      .filter({ hasText: 'For the team' })
      .getByText('Internal note')
      .waitFor();
    await stored(second, about, undefined);
    await comeBack(first);
    await textOf(first).toBe('');
  });

  it('is kept in both browsers when each has another text, until the person chooses one', async () => {
    const about = await conversation();
    const first = await open(about);
    const second = await open(about);
    // The first browser's save stays in progress until the second one has saved.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await first.route('**/draft', async (route) => {
      await held;
      await route.continue();
    });
    await field(first).fill('Written on the train');
    await field(second).fill('Written at the desk');
    await stored(second, about, 'Written at the desk');
    release();
    await first.getByText('You wrote something else here in another browser:').waitFor();
    expect(await field(first).inputValue()).toBe('Written on the train');
    await stored(first, about, 'Written at the desk');
    await first.getByRole('button', { name: 'Keep this text' }).click();
    await stored(first, about, 'Written on the train');
    await comeBack(second);
    await textOf(second).toBe('Written on the train');
  });

  it('survives a reload before it is saved in the service', async () => {
    const about = await conversation();
    const page = await open(about);
    await field(page).fill('Half a senten');
    await page.reload();
    await textOf(page).toBe('Half a senten');
    await stored(page, about, 'Half a senten');
  });
});
