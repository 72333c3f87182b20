import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { type Browser, type Invited, invite, ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };

describe.skipIf(!hasChromium())('The teams of the dashboard', () => {
  let stage: DashboardStage;
  let api: ApiClient;
  let owner: Browser;
  let number: number;

  const team = async () =>
    (await api.must<{ team: string | null }>(200, 'GET', `/openapi/conversations/${number}`)).team;

  beforeAll(async () => {
    stage = await DashboardStage.start();
    api = stage.service.client();
    owner = await ownerBrowser(stage.service);
    const group = (title: string) =>
      api.must<{ number: number }>(201, 'POST', '/openapi/conversations', {
        type: 'group',
        participant_ids: [],
        title,
      });
    ({ number } = await group('Refund'));
    await group('Delivery');
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  it('are created with members and renamed, and a name that is taken is refused', async () => {
    const page = await stage.open('/settings/teams');
    await page.getByText('No teams').waitFor();
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New team' }).click();
      const dialog = page.getByRole('dialog', { name: 'Make a team' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('checkbox', { name: 'Owner' }).click();
      await dialog.getByRole('button', { name: 'Make the team' }).click();
      return dialog;
    };
    await create('Payments');
    const row = page.getByRole('row').filter({ hasText: 'Payments' });
    await row.getByText('Owner').waitFor();
    const dialog = await create('Payments');
    await dialog.getByText('Another team has this name.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change Payments' }).click();
    const edit = page.getByRole('dialog', { name: 'Change the team' });
    await expect.poll(() => edit.getByRole('checkbox', { name: 'Owner' }).isChecked()).toBe(true);
    await edit.getByLabel('Name').fill('Billing');
    await edit.getByRole('checkbox', { name: 'Owner' }).click();
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Billing' }).getByText('No members').waitFor();
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/teams');
    expect(data).toMatchObject([{ name: 'Billing', member_ids: [] }]);
    await stage.leave(/status of 409/);
  });

  it('are assigned to a conversation in its details, which can be undone, and filter the list', async () => {
    const page = await stage.open(`/inbox/${number}`, WIDE);
    const details = page.getByRole('complementary', { name: 'Details' });
    const choose = async () => {
      await details.getByLabel('Team').click();
      await page.getByRole('option', { name: 'Billing' }).click();
    };
    await choose();
    await expect.poll(team).toBe('Billing');
    await page
      .getByRole('dialog')
      .filter({ hasText: 'Team changed' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(team).toBeNull();
    await choose();
    await expect.poll(team).toBe('Billing');
    const list = page.getByRole('region', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Filters' }).click();
    await list.getByLabel('Team').click();
    await page.getByRole('option', { name: 'Billing' }).click();
    await list.getByText('Delivery').waitFor({ state: 'detached' });
    await list.getByText('Refund').waitFor();
    expect(page.url()).toContain('team=Billing');
    // A change elsewhere moves the conversation out of the list.
    await api.must(200, 'PATCH', `/openapi/conversations/${number}`, { team: 'Another' });
    await list.getByText('Refund').waitFor({ state: 'detached' });
    // The new team can be chosen at once.
    await details.getByLabel('Team').click();
    await page.getByRole('option', { name: 'Billing' }).click();
    await list.getByText('Refund').waitFor();
  });

  it('are shown to viewers, who cannot change them', async () => {
    const viewer = await invite(stage.service, owner, 'viewer', 'viewer');
    const page = await stage.open('/settings/teams', {}, viewer);
    await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor();
    expect(await page.getByRole('button', { name: 'New team' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Change Billing' }).count()).toBe(0);
  });

  it('are deleted after a confirmation, and their conversations stay', async () => {
    const page = await stage.open('/settings/teams');
    await page.getByRole('button', { name: 'Delete Billing' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Billing?' });
    await dialog.getByText('Its conversations stay').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    // The rows behind an open dialog have no role, so a missing row alone does not show that the team is gone.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor({ state: 'detached' });
    await expect.poll(team).toBeNull();
  });

  describe('restrict a member', () => {
    let member: Invited;
    let hidden: Json;
    let own: Json;

    beforeAll(async () => {
      member = await invite(stage.service, owner, 'agent');
      await owner.must(201, 'POST', '/teams', { name: 'Support', member_ids: [member.id] });
      const make = async (title: string, of: string) => {
        const made = await api.must(201, 'POST', '/openapi/conversations', {
          type: 'group',
          participant_ids: [],
          title,
          team: of,
        });
        await api.must(201, 'POST', '/openapi/messages', {
          conversation_id: made.id,
          text: `About ${title}`,
        });
        return made;
      };
      [hidden, own] = [await make('Salary', 'People'), await make('Broken screen', 'Support')];
    });

    /** Removes the 404 errors of this member from the recorded faults. */
    const leaveMissing = async (page: Page) => {
      await page.goto(`${stage.service.url}/dashboard/settings/profile`);
      await page.getByLabel('Display name').waitFor();
      const isMissing = (fault: string) => /status of 404/.test(fault);
      for (const visitor of stage.visitors)
        while (visitor.faults.some(isMissing)) visitor.forgive(/status of 404/);
    };

    it('after a confirmation that explains what the member will see', async () => {
      const page = await stage.open('/settings/members');
      const choose = async (action: string) => {
        await page.getByRole('button', { name: 'Actions of agent' }).click();
        await page.getByRole('menuitem', { name: action }).click();
      };
      await choose('Show only own teams');
      const dialog = page.getByRole('dialog', { name: 'Show agent only the conversations of their teams?' });
      await dialog.getByText('no broadcasts, analytics and webhooks').waitFor();
      await dialog.getByText('Teams: Support').waitFor();
      await dialog.getByRole('button', { name: 'Show only own teams' }).click();
      const row = page.getByRole('row').filter({ hasText: member.email });
      await row.getByText('Own teams only').waitFor();
      expect((await member.browser.get(`/openapi/conversations/${hidden.id}`)).status).toBe(404);
    });

    it('at the invitation, which offers this for viewers but not for admins', async () => {
      const page = await stage.open('/settings/members');
      await page.getByRole('button', { name: 'Invite' }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite a person' });
      await dialog.getByLabel('E-mail').fill('newcomer@example.test');
      const restriction = dialog.getByRole('checkbox', { name: /Show only the conversations/ });
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: 'Admin' }).click();
      await restriction.waitFor({ state: 'detached' });
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: 'Viewer' }).click();
      await restriction.click();
      await dialog.getByText('Add the person to a team').waitFor();
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByLabel('Link').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: 'newcomer@example.test' });
      await row.getByText('Own teams only').waitFor();
    });

    it('to a list, a home page and areas without conversations of other teams', async () => {
      const page = await stage.open('/inbox', WIDE, member);
      const list = page.getByRole('region', { name: 'Conversations' });
      await list.getByText('Broken screen', { exact: true }).waitFor();
      expect(await list.getByText('Salary').count()).toBe(0);
      const areas = page.getByRole('navigation', { name: 'Main' });
      await areas.getByRole('link', { name: 'Contacts' }).waitFor();
      for (const name of ['Broadcasts', 'Analytics'])
        expect(await areas.getByRole('link', { name }).count()).toBe(0);
      await areas.getByRole('link', { name: 'Home' }).click();
      await page.getByText('Oldest waiting delivery').waitFor();
      expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
      await page.goto(`${stage.service.url}/dashboard/inbox/${hidden.number}`);
      await list.getByText('Broken screen', { exact: true }).waitFor();
      await page.getByText('This no longer exists').waitFor();
      expect(await page.getByText('About Salary').count()).toBe(0);
      await leaveMissing(page);
    });

    it('whose open page removes a conversation that moves to another team, and shows it when it moves back', async () => {
      const page = await stage.open(`/inbox/${own.number}`, WIDE, member);
      const said = page.getByRole('main').getByText('About Broken screen', { exact: true });
      await said.first().waitFor();
      await api.must(200, 'PATCH', `/openapi/conversations/${own.id}`, { team: 'People' });
      await page.getByText('This no longer exists').waitFor();
      await expect.poll(() => page.getByText('Broken screen').count()).toBe(0);
      expect(await page.getByText('About Broken screen').count()).toBe(0);
      await api.must(200, 'PATCH', `/openapi/conversations/${own.id}`, { team: 'Support' });
      const list = page.getByRole('region', { name: 'Conversations' });
      await list.getByText('Broken screen', { exact: true }).waitFor();
      await leaveMissing(page);
    });

    it('and show everything again after the restriction is lifted, also on an open page', async () => {
      const open = await stage.open('/inbox', WIDE, member);
      const list = open.getByRole('region', { name: 'Conversations' });
      await list.getByText('Broken screen', { exact: true }).waitFor();
      const page = await stage.open('/settings/members');
      await page.getByRole('button', { name: 'Actions of agent' }).click();
      await page.getByRole('menuitem', { name: 'Show all conversations' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Show all conversations' }).click();
      await list.getByText('Salary', { exact: true }).waitFor();
      await open.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Analytics' }).waitFor();
    });
  });
});
