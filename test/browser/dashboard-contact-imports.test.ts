import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PHONE = { width: 390, height: 844 };
const FILE = `Name;E-mail;Shoe size;Newsletter
Ada;ada@example.com;37;yes
Grace;grace@example.com;38;no
Broken;not an address;39;yes
`;

describe.skipIf(!hasChromium())('The import and export of contacts in the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const choose = (page: Page, content: string | Buffer) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const contacts = async () =>
    (await stage.service.client().get<{ data: Json[] }>('/openapi/users?filter=kind:contact')).body.data;

  async function textOf(page: Page, link: string): Promise<string> {
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: link }).click();
    return readFile(await (await started).path(), 'utf8');
  }

  it('uploads, maps, previews, imports and undoes a file, and offers the failed rows for download', async () => {
    const page = await stage.open('/contacts');
    await page.getByRole('link', { name: 'Import' }).click();
    await choose(page, FILE);
    await page.getByRole('heading', { name: 'people.csv' }).waitFor();
    for (const [column, field] of [
      ['Name', 'Name'],
      ['E-mail', 'E-mail address'],
      ['Newsletter', 'Consent to marketing'],
      ['Shoe size', 'Leave out'],
    ] as const)
      expect(await page.getByRole('combobox', { name: `Field: ${column}`, exact: true }).innerText()).toBe(
        field,
      );
    await page.getByRole('combobox', { name: 'Field: Shoe size' }).click();
    await page.getByRole('option', { name: 'Metadata: Shoe size' }).click();
    await page.getByText('1 row has a problem').waitFor();
    await page.getByRole('cell', { name: 'E-mail address: This is not in the expected form.' }).waitFor();
    expect(await contacts()).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Imported', { exact: true }).waitFor();
    const made = await contacts();
    expect(
      made.map(({ display_name: name, metadata, consent }) => [name, metadata, (consent as Json).marketing]),
    ).toEqual(
      expect.arrayContaining([
        ['Ada', { 'Shoe size': '37' }, 'granted'],
        ['Grace', { 'Shoe size': '38' }, 'denied'],
      ]),
    );
    expect(made).toHaveLength(2);
    await page.getByRole('cell', { name: /Failed/ }).waitFor();
    expect(await textOf(page, 'Download failed rows')).toBe(
      '\uFEFFName,E-mail,Shoe size,Newsletter,import_problem\r\nBroken,not an address,39,yes,email: invalid_format\r\n',
    );
    const ada = made.find(({ display_name: name }) => name === 'Ada');
    await stage.service.client().must(200, 'PATCH', `/openapi/users/${ada?.id}`, { locale: 'en' });
    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
    await page.getByText('1 contact was removed, 1 kept.').waitFor();
    await page.getByText('Kept: it was changed since').waitFor();
    expect((await contacts()).map(({ display_name: name }) => name)).toEqual(['Ada']);
  });

  it('shows on the screen of a contact that its consent was imported', async () => {
    const [ada] = await contacts();
    const page = await stage.open(`/contacts/${ada?.id}`);
    await page.getByText(/Imported by/).waitFor();
  });

  it('reports problems of a file and discards an upload on a phone', async () => {
    const page = await stage.open('/contacts/imports', { viewport: PHONE });
    await page.getByRole('heading', { name: 'Import contacts' }).waitFor();
    await choose(page, Buffer.from('Name\nJörg\n', 'latin1'));
    await page.getByRole('alert').getByText(/UTF-8/).waitFor();
    await choose(page, 'Colour,Size\nred,1\n');
    await page.getByText('Choose a column with a name').waitFor();
    expect(await page.getByRole('button', { name: 'Import 0 rows' }).isDisabled()).toBe(true);
    const width = 'document.documentElement.scrollWidth';
    expect(await page.evaluate(width)).toBeLessThanOrEqual(PHONE.width);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Import contacts' }).waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'people.csv' }).count(), { timeout: 30_000 })
      .toBe(1);
    await stage.leave(/status of 400/);
  });

  it('exports the contacts that match the search as CSV', async () => {
    for (const display_name of ['Exported one', 'Exported two', 'Other'])
      await stage.service.client().must(201, 'POST', '/openapi/users', { display_name });
    const page = await stage.open('/contacts');
    await page.getByRole('searchbox').fill('exported');
    await page.getByRole('link', { name: /Other/ }).waitFor({ state: 'detached' });
    const lines = (await textOf(page, 'Export CSV')).split('\r\n');
    expect(lines.slice(1, -1).map((line) => line.split(',')[1])).toEqual(['Exported two', 'Exported one']);
  });
});
