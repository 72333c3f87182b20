import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { axeFindings } from '../support/axe.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('The grant of an API key on the screen of API keys', () => {
  let stage: DashboardStage;
  let orders: Json;
  let returns: Json;
  let direct: Json;

  beforeAll(async () => {
    stage = await DashboardStage.start();
    const api = stage.service.client();
    const make = (body: Json) => api.must<Json>(201, 'POST', '/openapi/conversations', body);
    orders = await make({ type: 'group', title: 'Orders of Zebra Ltd', participant_ids: [] });
    returns = await make({ type: 'group', title: 'Returns', participant_ids: [] });
    const ann = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ann Customer' });
    direct = await make({ participant_ids: [ann.id] });
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const choose = async (page: Page, text: string, name: RegExp) => {
    await page.getByRole('combobox', { name: 'Add a conversation' }).fill(text);
    await page.getByRole('option', { name }).click();
  };
  const status = async (key: string, { id }: Json) =>
    (await stage.service.client(key).get(`/openapi/conversations/${id}`)).status;

  it('is chosen by title and by person when the key is created, shown in the list, changed and removed', async () => {
    const page = await stage.open('/developers/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Agent of Zebra');
    await dialog.getByRole('combobox', { name: 'Conversations', exact: true }).click();
    await page.getByRole('option', { name: 'Only chosen conversations' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Choose at least one conversation.').waitFor();
    await choose(page, 'Zebra', /^Orders of Zebra Ltd/);
    await choose(page, 'Ann Cust', /^Ann Customer/);
    await dialog.getByRole('button', { name: /^Remove Ann Customer/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('region', { name: 'The key' }).getByText(/^tl_live_/);
    const key = String(await shown.textContent());
    expect([await status(key, orders), await status(key, direct), await status(key, returns)]).toEqual([
      200, 200, 404,
    ]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Sees 2 conversations').waitFor();

    const edit = async () => {
      await page.getByRole('button', { name: 'Actions for Agent of Zebra' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await edit();
    await page.getByRole('button', { name: /^Remove Ann Customer/ }).click();
    // The button is gone. A dialog would take the focus from the text that is typed next.
    await page.getByRole('combobox', { name: 'Add a conversation' }).and(page.locator(':focus')).waitFor();
    await choose(page, 'Ret', /^Returns/);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => status(key, direct)).toBe(404);
    expect([await status(key, orders), await status(key, returns)]).toEqual([200, 200]);

    await edit();
    await page.getByRole('combobox', { name: 'Conversations', exact: true }).click();
    await page.getByRole('option', { name: 'All conversations' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => status(key, direct)).toBe(200);
    await page.getByText('Sees 2 conversations').waitFor({ state: 'detached' });
    await page.goto(`${stage.service.url}/dashboard/settings/audit-log`);
    await page.getByText('Changed which conversations an API key sees').first().waitFor();
  });
});
