import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

const PASSWORD = 'password of the guest';

describe.skipIf(!hasChromium())('The settings of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.startService();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const signIn = (email: string, password: string) =>
    fetch(`${stage.service.url}/dashboard/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });

  it('set the conversation for alerts by its address, and refuse an invalid address', async () => {
    const made = await fetch(`${stage.service.url}/openapi/conversations`, {
      method: 'POST',
      headers: { 'x-api-key': stage.service.key, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Night shift', participant_ids: [] }),
    });
    expect(made.status).toBe(201);
    const page = await stage.open('/settings/workspace');
    await page.getByText('Alerts are sent to no chat.').waitFor();
    const field = page.getByLabel('Address of the conversation');
    const save = page.getByRole('button', { name: 'Set chat for alerts' });
    await field.fill('the night shift');
    await save.click();
    await page.getByText('Enter the address of a conversation, or nothing.').waitFor();
    await field.fill(`${stage.service.url}/dashboard/inbox/1?status=open`);
    await save.click();
    await page.getByText('Alerts are sent to: Night shift').waitFor();
    await page.getByLabel('Address of the conversation').fill('');
    await save.click();
    await page.getByText('Alerts are sent to no chat.').waitFor();
  });

  it('show a code that links an account of the staff chat', async () => {
    const page = await stage.open('/settings/profile');
    await page.getByText('No account is linked.').waitFor();
    await page.getByRole('button', { name: 'Link an account' }).click();
    await page.getByText(/^\/link [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/).waitFor();
  });

  it('invite a person, who accepts with a password and can sign in with the role', async () => {
    const page = await stage.open('/settings/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('no address');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog
      .getByText(/e-mail/i)
      .nth(1)
      .waitFor();
    await dialog.getByLabel('E-mail address').fill('guest@example.test');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await page.getByRole('region', { name: 'Link of the invitation' }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'Invited', exact: true }).waitFor();
    const token = link.split('/').at(-1);
    const accepted = await fetch(`${stage.service.url}/dashboard/api/invitations/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD, username: 'guest', display_name: 'Guest' }),
    });
    expect(accepted.status).toBeLessThan(300);
    await page.reload();
    await page.getByText('Guest', { exact: true }).waitFor();
    const session = (await (await signIn('guest@example.test', PASSWORD)).json()) as { role: string };
    expect(session.role).toBe('member');
    await stage.leave(/status of 400/);
  });

  it('suspend a person, who can’t sign in until reactivated, and remove the person', async () => {
    const page = await stage.open('/settings/members');
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions of Guest' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Suspend');
    await page.getByRole('cell', { name: 'Suspended', exact: true }).waitFor();
    expect((await signIn('guest@example.test', PASSWORD)).status).toBe(401);
    await choose('Let in again');
    await page.getByRole('cell', { name: 'Suspended', exact: true }).waitFor({ state: 'detached' });
    expect((await signIn('guest@example.test', PASSWORD)).status).toBe(200);
    await choose('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Guest was removed').waitFor();
    expect((await signIn('guest@example.test', PASSWORD)).status).toBe(401);
  });

  it('refuse to change the role of the last owner, and report why', async () => {
    const page = await stage.open('/settings/members');
    await page.getByRole('combobox', { name: /Role of/ }).click();
    await page.getByRole('option', { name: 'Viewer' }).click();
    await page.getByRole('alert').getByText('This is not possible now').waitFor();
    expect((await signIn(OWNER_EMAIL, OWNER_PASSWORD)).status).toBe(200);
    await stage.leave(/status of 409/);
  });

  it('rename the person and the workspace, and show both names at once', async () => {
    const page = await stage.open('/settings/profile');
    await page.getByLabel('Display name').fill('Ada Lovelace');
    await page.getByLabel('Username').fill('No Name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Use 3 to 64 of a–z').waitFor();
    await page.getByLabel('Username').fill('ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    await page.getByRole('link', { name: 'Workspace' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Engine Works');
    await page.getByLabel('Words that opt out').fill('STOP\nBASTA');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByText('Engine Works').waitFor();
  });

  it('change the password, which signs the other browsers out, and report a wrong one', async () => {
    expect((await signIn(OWNER_EMAIL, OWNER_PASSWORD)).status).toBe(200);
    const page = await stage.open('/settings/sign-in');
    const change = page.getByRole('button', { name: 'Change password' });
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('short');
    await change.click();
    await page.getByText('Use at least 8 characters.').waitFor();
    await page.getByLabel('New password').fill(PASSWORD);
    await change.click();
    await page.getByText('Expected the password that you signed in with.').waitFor();
    await page.getByLabel('Current password').fill(OWNER_PASSWORD);
    await change.click();
    await page.getByText('Password changed; other browsers are signed out').waitFor();
    const sessions = page.getByRole('list', { name: 'Where you are signed in' });
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    expect((await signIn(OWNER_EMAIL, OWNER_PASSWORD)).status).toBe(401);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill(OWNER_PASSWORD);
    await change.click();
    await expect.poll(async () => (await signIn(OWNER_EMAIL, OWNER_PASSWORD)).status).toBe(200);
    await stage.leave(/status of 400/);
  });

  it('list the signed-in browsers, and sign out one of them or all others', async () => {
    for (let count = 0; count < 3; count += 1) await signIn(OWNER_EMAIL, OWNER_PASSWORD);
    const page = await stage.open('/settings/sign-in');
    const sessions = page.getByRole('list', { name: 'Where you are signed in' });
    await sessions.getByText('Chrome on Linux').first().waitFor();
    await sessions.getByText('This browser').waitFor();
    const before = await sessions.getByRole('listitem').count();
    await sessions.getByRole('button', { name: 'Sign out Unknown browser' }).first().click();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before - 1);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await sessions.getByText('This browser').waitFor();
  });

  it('set the retention of messages after a confirmation', async () => {
    const page = await stage.open('/settings/workspace');
    const days = page.getByLabel('Keep messages for this many days');
    await days.fill('0');
    await days.press('Enter');
    await page.getByText('Enter a whole number from 1 to 36500, or nothing.').waitFor();
    await days.fill('400');
    await days.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete messages after 400 days?' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Delete older messages' }).click();
    await page.getByText('Messages are deleted after 400 days').waitFor();
    await page.reload();
    await expect.poll(() => days.inputValue(), { timeout: 30_000 }).toBe('400');
    await days.fill('');
    await days.press('Enter');
    await page.getByText('Messages are no longer deleted by age in this workspace').waitFor();
  });
});
