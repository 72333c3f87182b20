import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { Browser, ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };
const GRACE = { email: 'grace@example.test', password: 'password of grace' };

describe.skipIf(!hasChromium())('The calls of the dashboard', () => {
  let stage: DashboardStage;
  /** A member who calls the owner. */
  let grace: Browser;
  let ownerId: unknown;

  beforeAll(async () => {
    stage = await DashboardStage.startService({}, 'whole');
    const owner = await ownerBrowser(stage.service);
    ownerId = (await owner.get('/openapi/users/me')).body.id;
    const invited = await owner.must(201, 'POST', '/members', { email: GRACE.email, role: 'member' });
    const token = String(invited.invite_url).split('/').at(-1);
    const person = { password: GRACE.password, username: 'grace', display_name: 'Grace' };
    grace = new Browser(stage.service);
    await grace.post(`/invitations/${token}`, person);
    await grace.signIn(GRACE.email, GRACE.password);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const callOwner = (type: string) =>
    grace.must(201, 'POST', '/openapi/calls', { type, participant_ids: [ownerId] });
  const read = async ({ id }: Json) => (await grace.get(`/openapi/calls/${id}`)).body;
  const end = ({ id }: Json) => grace.must(200, 'POST', `/openapi/calls/${id}/end`, {});
  const callOwnerBriefly = async () => {
    const call = await callOwner('voice');
    return end(call);
  };
  const isOver = (call: Json) => expect.poll(async () => (await read(call)).status, PATIENT).toBe('ended');

  /** The page of a call, which a click opens in a new tab. */
  async function tabOf(page: Page, click: () => Promise<void>): Promise<Page> {
    const [tab] = await Promise.all([page.waitForEvent('popup'), click()]);
    await tab.waitForURL(/\/join\//);
    return tab;
  }

  it('ring on a screen outside of the inbox, and stop when they are declined', async () => {
    const page = await stage.open('/contacts');
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    const call = await callOwner('video');
    const incoming = page.getByRole('region', { name: 'Call from Grace' });
    await incoming.getByText('Incoming video call').waitFor();
    await incoming.getByRole('button', { name: 'Decline' }).click();
    await incoming.waitFor({ state: 'detached' });
    await isOver(call);
    expect((await read(call)).end_reason).toBe('declined');
  });

  it('stop ringing when the caller hangs up, and open in a separate tab when they are answered', async () => {
    const page = await stage.open('/settings/profile');
    const incoming = page.getByRole('region', { name: 'Call from Grace' });
    const first = await callOwner('voice');
    await incoming.waitFor();
    await end(first);
    await incoming.waitFor({ state: 'detached' });
    const second = await callOwner('voice');
    const tab = await tabOf(page, () => incoming.getByRole('button', { name: 'Answer' }).click());
    await tab.getByRole('button', { name: /^Join as owner/ }).click();
    await tab.getByText('You are in the call.').waitFor();
    await incoming.waitFor({ state: 'detached' });
    await end(second);
    await tab.getByText('The call is over.').waitFor();
  });

  it('start from a conversation, and can be filtered by state and ended in the list', async () => {
    // The calls of the other tests are in the same conversation.
    const id = (await read(await callOwnerBriefly())).conversation_id;
    const conversation = (await grace.get(`/openapi/conversations/${id}`)).body;
    const page = await stage.open(`/inbox/${conversation.number}`);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await tabOf(page, () => page.getByRole('menuitem', { name: 'Video call' }).click());
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Live' }).click();
    const row = page.getByRole('table', { name: 'Calls' }).getByRole('row', { name: /Grace/ });
    await row.getByText('Ringing').waitFor();
    await row.getByRole('button', { name: 'End the call with Grace' }).click();
    await page.getByRole('heading', { name: 'No call fits the filter' }).waitFor();
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Any state' }).click();
    await row.getByText('Canceled').first().waitFor();
    await row.first().getByRole('button', { name: 'Open the conversation with Grace' }).click();
    await page.waitForURL(`**/inbox/${conversation.number}`);
  });
});
