import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../src/cli/wait-until.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const LIMIT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The simulators of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start({}, { simulators: true });
    // At the first start a customer of each platform asks something.
    const asked = async () => {
      const { body } = await stage.service.client().get('/openapi/conversations');
      return (body.data as unknown[]).length === 4;
    };
    await waitUntil(asked, LIMIT.timeout, 200);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const phone = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  async function write(page: Page, platform: string, text: string): Promise<void> {
    await page.getByLabel(`Message on ${platform}`).fill(text);
    await page.getByRole('button', { name: `Send on ${platform}` }).click();
    await phone(page, platform).getByRole('article').filter({ hasText: text }).waitFor();
  }

  /** Opens the conversation of a message in the inbox. */
  async function openInbox(page: Page, text: string): Promise<void> {
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    await page.getByRole('link').filter({ hasText: text }).first().click();
    await page.getByRole('article').filter({ hasText: text }).first().waitFor();
  }

  async function answer(page: Page, text: string): Promise<void> {
    await page.getByLabel('Write a message').fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article').filter({ hasText: text }).first().waitFor();
  }

  async function openSimulators(): Promise<Page> {
    const page = await stage.open('/simulators');
    await phone(page, 'Telegram').waitFor();
    return page;
  }

  it('bring what customers write on two platforms to the inbox, and the answers to their phones', async () => {
    const page = await openSimulators();
    for (const platform of ['Telegram', 'Discord']) {
      await write(page, platform, `Do you ship to ${platform}?`);
      await openInbox(page, `Do you ship to ${platform}?`);
      await answer(page, `We ship to ${platform}`);
      await page.getByRole('link', { name: 'Simulators', exact: true }).click();
      await phone(page, platform)
        .getByRole('article')
        .filter({ hasText: `We ship to ${platform}` })
        .waitFor();
    }
  });

  it('show the wait of a 429 in the log of calls, and the message arrives once', async () => {
    const page = await openSimulators();
    await write(page, 'Slack', 'Is the shop open?');
    await page.getByRole('tab', { name: 'Slack' }).click();
    await page.getByRole('button', { name: '429 with a wait' }).click();
    await page.getByText('429 with a wait · 1 call').waitFor();
    await openInbox(page, 'Is the shop open?');
    await answer(page, 'From nine to five');
    await page.getByRole('link', { name: 'Simulators', exact: true }).click();
    const said = phone(page, 'Slack').getByRole('article').filter({ hasText: 'From nine to five' });
    await said.waitFor();
    await page.getByRole('tab', { name: 'Slack' }).click();
    const refused = page.getByRole('row').filter({ hasText: '429' });
    await refused.filter({ hasText: 'chat.postMessage' }).waitFor();
    await page.getByText('No fault is set. The next call succeeds.').waitFor();
    expect(await said.count()).toBe(1);
  });

  it('take a STOP by SMS, which the platform confirms and the contact’s consent follows', async () => {
    const page = await openSimulators();
    await page.getByRole('button', { name: 'More on SMS (Twilio)' }).click();
    await page.getByRole('menuitem', { name: 'Send STOP' }).click();
    await phone(page, 'SMS (Twilio)')
      .getByText(/You have successfully been unsubscribed/)
      .waitFor();
    const denied = async () => {
      const { body } = await stage.service.client().get('/openapi/users?limit=100');
      const users = body.data as { consent: { marketing: string } }[];
      return users.filter(({ consent }) => consent.marketing === 'denied').length;
    };
    await expect.poll(denied, LIMIT).toBe(1);
  });
});
