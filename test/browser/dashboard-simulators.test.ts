import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../src/cli/wait-until.js';
import { axeFindings } from '../support/axe.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const LIMIT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The simulators of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.startService({ simulators: true });
    // At the first start a customer writes on each platform.
    const asked = async () => {
      const { body } = await stage.service.client().get('/openapi/conversations');
      return (body.data as unknown[]).length === 4;
    };
    await waitUntil(asked);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const phone = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  async function write(page: Page, platform: string, text: string): Promise<void> {
    await page.getByLabel(`Message on ${platform}`).fill(text);
    await page.getByRole('button', { name: `Send on ${platform}` }).click();
    await phone(page, platform).getByRole('article').filter({ hasText: text }).waitFor();
  }

  const messages = async () => {
    const { body } = await stage.service.client().get('/openapi/messages?limit=100');
    return body.data as Readonly<Record<string, unknown>>[];
  };

  /** Opens the conversation of a message in the inbox. */
  async function openInbox(page: Page, text: string | RegExp): Promise<void> {
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

  it('bring messages of customers on two platforms to the inbox, and the replies to their phones', async () => {
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

  it('show a 429 in the log of calls, and deliver the message once', async () => {
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
    // The request of another call may contain these digits.
    const refused = page.getByRole('row').filter({ has: page.getByText('429', { exact: true }) });
    await refused.filter({ hasText: 'chat.postMessage' }).waitFor();
    await page.getByText('No fault is set. The next call succeeds.').waitFor();
    expect(await said.count()).toBe(1);
  });

  it('cross the bridge with typing in both directions and with the receipts of the platform', async () => {
    const page = await openSimulators();
    const inbox = await page.context().newPage();
    await write(page, 'Discord', 'Can you see me typing?');
    await inbox.goto(`${stage.service.url}/dashboard/inbox`);
    await inbox.getByRole('link').filter({ hasText: 'Can you see me typing?' }).first().click();
    await inbox.getByLabel('Write a message').waitFor();
    // What is typed before the inbox follows the service is not shown.
    const types = async () => {
      await page.getByLabel('Message on Discord').pressSequentially('x');
      return inbox.getByText('Ada is typing…').count();
    };
    await expect.poll(types, LIMIT).toBeGreaterThan(0);
    await inbox.getByLabel('Write a message').pressSequentially('Yes');
    await phone(page, 'Discord').getByText('typing…').waitFor();
    await write(page, 'SMS (Twilio)', 'Are you there?');
    await inbox.getByRole('link').filter({ hasText: 'Are you there?' }).first().click();
    await inbox.getByRole('article').filter({ hasText: 'Are you there?' }).first().waitFor();
    await answer(inbox, 'We are here');
    const said = (on: Page) => on.getByRole('article').filter({ hasText: 'We are here' });
    await said(page).getByText('delivered').waitFor();
    await said(inbox).getByText('SMS · delivered').waitFor();
  });

  it.each(['Telegram', 'Discord', 'Slack'])('bring the reply of a customer on %s', async (platform) => {
    const page = await openSimulators();
    const question = `Reply to this on ${platform}`;
    await write(page, platform, question);
    const said = phone(page, platform).getByRole('article').filter({ hasText: question });
    await said.hover();
    await said.getByRole('button', { name: /^Actions for the message/ }).click();
    await page.getByRole('menuitem', { name: 'Reply' }).click();
    await page.getByText(/^Reply to (?:Ada|Dana)/).waitFor();
    await write(page, platform, `The reply on ${platform}`);
    const find = async (text: string) => (await messages()).find((each) => each.text === text);
    await expect.poll(() => find(`The reply on ${platform}`), LIMIT).toBeDefined();
    const [asked, reply] = [await find(question), await find(`The reply on ${platform}`)];
    expect([reply?.direction, reply?.reply_to_id]).toEqual(['inbound', asked?.id]);
  });

  it.each([
    { fault: '503 unavailable', arrives: 0, logged: '503' },
    { fault: 'Time-out before the write', arrives: 0, logged: 'No answer' },
    { fault: 'Time-out after the write', arrives: 1, logged: 'Written all the same' },
  ])('do not send twice after a fault: $fault', async ({ fault, arrives, logged }) => {
    const page = await openSimulators();
    const question = `Question before a ${fault}`;
    await write(page, 'Telegram', question);
    await page.getByRole('tab', { name: 'Telegram' }).click();
    await page.getByRole('button', { name: fault }).click();
    await page.getByText(`${fault} · 1 call`).waitFor();
    await openInbox(page, question);
    await answer(page, `Answer to a ${fault}`);
    // Telegram cannot tell whether the message arrived, so a person decides.
    const sent = page.getByRole('article').filter({ hasText: `Answer to a ${fault}` });
    await sent.getByRole('button', { name: 'Telegram · uncertain' }).waitFor(LIMIT);
    await page.getByRole('link', { name: 'Simulators', exact: true }).click();
    await page.getByRole('tab', { name: 'Telegram' }).click();
    await page.getByRole('row').filter({ hasText: logged }).filter({ hasText: fault }).first().waitFor();
    const shown = phone(page, 'Telegram').getByRole('article');
    await shown.filter({ hasText: question }).waitFor(LIMIT);
    const said = shown.filter({ hasText: `Answer to a ${fault}` });
    await expect.poll(() => said.count(), LIMIT).toBe(arrives);
  });

  it('survive dropped sockets and a revoked token, after which the waiting message arrives once', async () => {
    const page = await openSimulators();
    await write(page, 'Slack', 'Before the revoked token');
    await page.getByRole('tab', { name: 'Slack' }).click();
    await page.getByRole('button', { name: 'Drop all sockets' }).click();
    await write(page, 'Slack', 'After the dropped sockets');
    const arrived = expect.objectContaining({ text: 'After the dropped sockets', direction: 'inbound' });
    await expect.poll(messages, LIMIT).toContainEqual(arrived);
    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await openInbox(page, 'After the dropped sockets');
    await answer(page, 'Sent with a revoked token');
    await page.getByRole('link', { name: 'Simulators', exact: true }).click();
    const slack = phone(page, 'Slack');
    await slack.getByText('Error', { exact: true }).waitFor(LIMIT);
    await page.getByRole('tab', { name: 'Slack' }).click();
    await page.getByRole('button', { name: 'Enter the new token' }).click();
    await slack.getByText('Connected', { exact: true }).waitFor(LIMIT);
    const said = slack.getByRole('article').filter({ hasText: 'Sent with a revoked token' });
    await said.waitFor(LIMIT);
    expect(await said.count()).toBe(1);
  });

  it('send a STOP by SMS, which the platform confirms and which withdraws the contact’s consent', async () => {
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

  it('bring edits, deletions and locations of customers to the inbox', async () => {
    const page = await openSimulators();
    const act = async (text: string, item: string) => {
      const said = phone(page, 'Discord').getByRole('article').filter({ hasText: text });
      await said.hover();
      await said.getByRole('button', { name: /^Actions for the message/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await write(page, 'Discord', 'My adress is new');
    await act('My adress is new', 'Edit');
    await page.getByLabel('Message on Discord').fill('My address is new');
    await page.getByRole('button', { name: 'Send on Discord' }).click();
    await expect.poll(messages, LIMIT).toContainEqual(expect.objectContaining({ text: 'My address is new' }));

    await write(page, 'Discord', 'Never mind');
    const neverMind = expect.objectContaining({ text: 'Never mind' });
    await expect.poll(messages, LIMIT).toContainEqual(neverMind);
    await act('Never mind', 'Delete');
    await expect.poll(messages, LIMIT).not.toContainEqual(neverMind);

    await page.getByRole('button', { name: 'More on Telegram' }).click();
    await page.getByRole('menuitem', { name: 'Send a location' }).click();
    const place = expect.objectContaining({ attachments: [expect.objectContaining({ type: 'location' })] });
    await expect.poll(messages, LIMIT).toContainEqual(place);
  });

  it('bring files in both directions, and show a photo on the phone', async () => {
    const page = await openSimulators();
    const extra = async (item: string) => {
      await page.getByRole('button', { name: 'More on Telegram' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await extra('Send a sample photo');
    await phone(page, 'Telegram')
      .getByRole('img', { name: /\.png$/ })
      .first()
      .waitFor();
    const chooser = page.waitForEvent('filechooser');
    await extra('Send a file…');
    const file = { name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('4711') };
    await (await chooser).setFiles(file);
    await phone(page, 'Telegram').getByText('invoice.txt').waitFor();
    const withFile = (kind: string) =>
      expect.objectContaining({ attachments: [expect.objectContaining({ type: kind })] });
    for (const kind of ['image', 'file']) await expect.poll(messages, LIMIT).toContainEqual(withFile(kind));
    await write(page, 'Telegram', 'Is this the right one?');
    await openInbox(page, 'Is this the right one?');
    await page.getByRole('log').getByText('invoice.txt').waitFor();
    await page.locator('input[type=file]').setInputFiles({ ...file, name: 'receipt.txt' });
    await page.getByRole('list', { name: 'Files of this message' }).getByText('receipt.txt').waitFor();
    await answer(page, 'Here is the receipt');
    await page.getByRole('link', { name: 'Simulators', exact: true }).click();
    await phone(page, 'Telegram').getByText('receipt.txt').waitFor();
  });

  it('bring reactions in both directions', async () => {
    const page = await openSimulators();
    await write(page, 'Slack', 'Thank you!');
    await openInbox(page, 'Thank you!');
    const thanks = page.getByRole('article').filter({ hasText: 'Thank you!' });
    await thanks.hover();
    await thanks.getByRole('button', { name: /^Actions of the message/ }).click();
    await page.getByRole('menuitem', { name: 'React with 🎉' }).click();
    await thanks.getByRole('button', { name: '🎉, 1 reaction' }).waitFor();
    await answer(page, 'You are welcome');
    await page.getByRole('link', { name: 'Simulators', exact: true }).click();
    const onPhone = (text: string) => phone(page, 'Slack').getByRole('article').filter({ hasText: text });
    await onPhone('Thank you!').getByText('🎉').waitFor();
    const welcome = onPhone('You are welcome');
    await welcome.hover();
    await welcome.getByRole('button', { name: /^Actions for the message/ }).click();
    await page.getByRole('menuitem', { name: 'React with 👍' }).click();
    await welcome.getByText('👍').waitFor();
    // The list shows the last message of the conversation.
    await openInbox(page, /Thank you!|You are welcome/);
    await page
      .getByRole('article')
      .filter({ hasText: 'You are welcome' })
      .getByRole('button', { name: '👍, 1 reaction' })
      .waitFor();
  });

  it('bring the press of a button to the inbox', async () => {
    const page = await openSimulators();
    await write(page, 'Telegram', 'Can you deliver tomorrow?');
    await openInbox(page, 'Can you deliver tomorrow?');
    await answer(page, 'Tomorrow at nine?');
    await page.getByRole('link', { name: 'Simulators', exact: true }).click();
    const offer = phone(page, 'Telegram').getByRole('article').filter({ hasText: 'Tomorrow at nine?' });
    await offer.waitFor();
    await offer.hover();
    await offer.getByRole('button', { name: /^Actions for the message/ }).click();
    await page.getByRole('menuitem', { name: 'Press the button “Yes”' }).click();
    const pressed = expect.objectContaining({ direction: 'inbound', text: 'Yes' });
    await expect.poll(messages, LIMIT).toContainEqual(pressed);
  });

  it.each([
    { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const)('have no serious axe finding: $colorScheme, $viewport.width px', async (options) => {
    const page = await stage.open('/simulators', options);
    await phone(page, 'Telegram').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it.each(['en', 'es', 'zh-CN'])('fit the width of a phone, in %s', async (locale) => {
    const page = await stage.open('/simulators', { viewport: { width: 390, height: 844 }, locale });
    await phone(page, 'Telegram').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});
