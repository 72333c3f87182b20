import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const VERIFIER = 'v'.repeat(43);
const CALLBACK = 'https://planner.example/callback';

describe.skipIf(!hasChromium())('The OAuth apps of the dashboard', () => {
  let stage: DashboardStage;
  let clientId: string;
  let secret: string;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const exchange = (sent: { code: string; client_secret: string }) =>
    fetch(`${stage.service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code_verifier: VERIFIER,
        redirect_uri: CALLBACK,
        client_id: clientId,
        ...sent,
      }),
    });

  /** The error of the token endpoint for an unknown code: `invalid_grant` if the secret is right. */
  async function refusalOf(clientSecret: string): Promise<unknown> {
    const answer = await exchange({ code: 'tl_ac_unknown', client_secret: clientSecret });
    return ((await answer.json()) as { error: string }).error;
  }

  it('are registered with their addresses and scopes, and show the secret once', async () => {
    const page = await stage.open('/developers/apps');
    await page.getByText('No OAuth apps yet').waitFor();
    await page.getByRole('button', { name: 'Register app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Register app' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByText('Enter at least one address.').waitFor();
    await dialog.getByLabel('Name').fill('Planner');
    await dialog.getByLabel('Redirect URIs').fill(`${CALLBACK}\nhttp://planner.example/`);
    await dialog.getByRole('checkbox', { name: /messages\.read/ }).click();
    await dialog.getByRole('button', { name: 'Register app' }).click();
    await dialog.getByText(/^Line 2 has to use https/).waitFor();
    await dialog.getByLabel('Redirect URIs').fill(CALLBACK);
    await dialog.getByRole('button', { name: 'Register app' }).click();
    clientId = await page.getByRole('region', { name: 'Client ID' }).innerText();
    secret = await page.getByRole('region', { name: 'Client secret' }).innerText();
    expect(secret).toMatch(/^tl_cs_/);
    expect(await refusalOf(secret)).toBe('invalid_grant');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: CALLBACK }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await stage.leave(/status of 400/);
  });

  it('are edited, and their old secret is refused after a rotation', async () => {
    const page = await stage.open('/developers/apps');
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Planner' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Planner 2');
    await dialog.getByRole('checkbox', { name: /calls\.read/ }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: /calls\.read/ }).waitFor();
    await choose('Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const next = await page.getByRole('region', { name: 'Client secret' }).innerText();
    expect([await refusalOf(secret), await refusalOf(next)]).toEqual(['invalid_client', 'invalid_grant']);
    secret = next;
  });

  it('list the members who allow them, and end the access of one', async () => {
    const owner = await ownerBrowser(stage.service);
    const given = await owner.must<{ redirect_to: string }>(200, 'POST', '/oauth/consent', {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope: 'messages.read',
      state: 'xyz',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      approve: true,
    });
    const code = new URL(given.redirect_to).searchParams.get('code') ?? '';
    expect((await exchange({ code, client_secret: secret })).status).toBe(200);
    const page = await stage.open('/developers/apps');
    await page.getByRole('button', { name: 'Actions for Planner 2' }).click();
    await page.getByRole('menuitem', { name: 'Members with access' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('messages.read').waitFor();
    await dialog.getByRole('button', { name: /^End access of/ }).click();
    await dialog.getByText(/stop working at once/).waitFor();
    await dialog.getByRole('button', { name: 'End access' }).click();
    await dialog.getByText('No member allows this app yet').waitFor();
    expect(await owner.must(200, 'GET', '/oauth/grants')).toMatchObject({ data: [] });
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  it('are deleted after a confirmation, and their client is refused afterwards', async () => {
    const page = await stage.open('/developers/apps');
    await page.getByRole('button', { name: 'Actions for Planner 2' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByText(/its tokens stop working at once/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No OAuth apps yet').waitFor();
    expect(await refusalOf(secret)).toBe('invalid_client');
  });
});
