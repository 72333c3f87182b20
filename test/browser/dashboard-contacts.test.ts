import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasChromium())('The contacts of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const create = (body: Json) => stage.service.client().must(201, 'POST', '/openapi/users', body);
  const read = (id: unknown) => stage.service.client().get(`/openapi/users/${id}`);

  it('are added, and found by a part of the name or by phone number', async () => {
    await create({ display_name: 'Grace Hopper', email: 'grace@example.com', phone: '+12025550123' });
    const page = await stage.open('/contacts');
    await page.getByRole('link', { name: /Grace Hopper/ }).waitFor();
    await page.getByRole('button', { name: 'Add contact' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ada Lovelace');
    await dialog.getByLabel('Phone').fill('not a number');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await dialog.getByRole('textbox', { name: 'Phone' }).and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Phone').fill('+4915112345678');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Contacts' }).click();
    for (const text of ['lovel', '+49 151 12345678']) {
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('link', { name: /Grace Hopper/ }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /Ada Lovelace/ }).waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByRole('link', { name: /Grace Hopper/ }).waitFor();
    }
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('No contact fits the search and the filters.').waitFor();
    await stage.leave(/status of 400/);
  });

  it('show their metadata, of which at most 20 keys are listed', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 23 }, (_, index) => [`key ${index}`, `value ${index}`]),
    );
    const { id } = await create({ display_name: 'Katherine Johnson', metadata });
    const page = await stage.open(`/contacts/${id}`);
    await page.getByText('value 19', { exact: true }).waitFor();
    await page.getByText('and 3 more').waitFor();
    expect(await page.getByText('value 20', { exact: true }).count()).toBe(0);
  });

  it('are listed as before after a look at one of them: with the search, and at the same place', async () => {
    for (let index = 0; index < 30; index += 1) await create({ display_name: `Hypatia ${index}` });
    const page = await stage.open('/contacts', { viewport: PHONE });
    await page.getByRole('searchbox').fill('hypatia');
    await page.getByRole('link', { name: /Grace Hopper/ }).waitFor({ state: 'detached' });
    await page.waitForURL('**/contacts?text=hypatia');
    // A click scrolls as well, if it has to.
    await page.getByRole('link', { name: /Hypatia 3\b/ }).hover();
    const scrolled = () => page.evaluate<number>('document.querySelector("main > div").scrollTop');
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await page.getByRole('link', { name: /Hypatia 3\b/ }).click();
    await page.getByRole('heading', { name: 'Hypatia 3', exact: true }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('link', { name: /Hypatia 3\b/ }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('hypatia');
    expect(await scrolled()).toBe(before);
    await page.reload();
    await page.getByRole('link', { name: /Hypatia 3\b/ }).waitFor();
    expect(await page.getByRole('link', { name: /Grace Hopper/ }).count()).toBe(0);
  });

  it('appear without a reload', async () => {
    const page = await stage.open('/contacts');
    await page.getByRole('link', { name: /Grace Hopper/ }).waitFor();
    await create({ display_name: 'Edsger Dijkstra' });
    await page.getByRole('link', { name: /Edsger Dijkstra/ }).waitFor();
  });

  it('are changed, blocked after a confirmation, and unblocked', async () => {
    const { id } = await create({ display_name: 'Changed' });
    const page = await stage.open(`/contacts/${id}`);
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Marketing' }).click();
    await page.getByRole('option', { name: 'Denied' }).click();
    await expect
      .poll(async () => (await read(id)).body)
      .toMatchObject({
        timezone: 'Europe/Berlin',
        consent: { marketing: 'denied' },
      });
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByText('Blocked', { exact: true }).waitFor();
    expect((await read(id)).body.status).toBe('blocked');
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
  });

  it('are merged after a preview of the result', async () => {
    const target = await create({ display_name: 'Alan T.' });
    const source = await create({ display_name: 'Alan Turing', email: 'alan@example.com' });
    const page = await stage.open(`/contacts/${target.id}`);
    await page.getByRole('button', { name: 'Merge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('The other contact').fill('alan tur');
    await dialog.getByRole('button', { name: /Alan Turing/ }).click();
    await dialog.getByText('alan@example.com').waitFor();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Alan Turing was merged').waitFor();
    expect((await read(target.id)).body.email).toBe('alan@example.com');
    expect((await read(source.id)).status).toBe(404);
  });

  it('are erased on a phone after their name was typed', async () => {
    const { id } = await create({ display_name: 'Erased soon' });
    const page = await stage.open(`/contacts/${id}`, { viewport: PHONE });
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type Erased soon to confirm').fill('Erased soon');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    expect((await read(id)).status).toBe(404);
    const width = 'document.documentElement.scrollWidth';
    expect(await page.evaluate(width)).toBeLessThanOrEqual(PHONE.width);
  });
});
