import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The screens of segments and templates', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const all = async (what: 'segments' | 'templates') =>
    (await stage.service.client().get<{ data: Json[] }>(`/openapi/${what}`)).body.data;

  it('create a segment from a filter, change it and delete it', async () => {
    const api = stage.service.client();
    const gold = { display_name: 'Gold', metadata: { plan: 'gold' } };
    await api.must(201, 'POST', '/openapi/users', gold);
    const page = await stage.open('/broadcasts');
    await page.getByRole('link', { name: 'Segments' }).click();
    await page.getByRole('heading', { name: 'No segments' }).waitFor();
    expect(await page.getByRole('link', { name: 'Segments' }).getAttribute('aria-current')).toBe('page');
    const lists = page.getByRole('navigation', { name: 'Broadcasts' });
    expect(await lists.getByRole('link', { name: 'Broadcasts' }).getAttribute('aria-current')).toBeNull();
    await page.getByRole('button', { name: 'New segment' }).click();
    await page.getByLabel('Name').fill('Gold customers');
    await page.getByLabel('Filter', { exact: true }).fill('colour:red');
    await page.getByRole('button', { name: 'Create segment' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Filter', { exact: true }).fill('metadata.plan:gold');
    await page.getByRole('button', { name: 'Create segment' }).click();
    const row = page.getByRole('row', { name: /Gold customers/ });
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit Gold customers' }).click();
    await page.getByLabel('Name').fill('Silver');
    await page.getByLabel('Filter', { exact: true }).fill('metadata.plan:silver');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page
      .getByRole('row', { name: /Silver/ })
      .getByRole('cell', { name: '0', exact: true })
      .waitFor();
    expect(await all('segments')).toMatchObject([{ name: 'Silver', filter: 'metadata.plan:silver' }]);
    await page.getByRole('button', { name: 'Delete Silver' }).click();
    await page.getByRole('button', { name: 'Delete segment' }).click();
    await page.getByRole('heading', { name: 'No segments' }).waitFor();
    expect(await all('segments')).toEqual([]);
    await stage.leave(/status of 400 .*openapi\/segments/);
  });

  it('create a segment from a CSV file, and name an invalid line', async () => {
    const page = await stage.open('/broadcasts/segments');
    await page.getByRole('button', { name: 'New segment' }).click();
    await page.getByLabel('Name').fill('List');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'List of recipients' }).click();
    const choose = (content: string) =>
      page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await choose('platform,address\nsms,+441632960001\nsms,tomorrow\n');
    await page.getByRole('button', { name: 'Create segment' }).click();
    await page.getByRole('alert').getByText(/3/).waitFor();
    await choose('platform,address,code\nsms,+441632960001,A\nsms,+441632960002,B\n');
    await page.getByRole('button', { name: 'Create segment' }).click();
    const row = page.getByRole('row', { name: /List of recipients/ });
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await stage.leave(/status of 400 .*openapi\/segments/);
  });

  it('create, change and delete a template', async () => {
    const page = await stage.open('/broadcasts/templates');
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByLabel('Name').fill('Delay');
    await page.getByLabel('Text', { exact: true }).fill('Order {{number}} is late.');
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('row', { name: /Delay.*number/ }).waitFor();
    await page.getByRole('button', { name: 'Edit Delay' }).click();
    await page.getByLabel('Text', { exact: true }).fill('**{{day}}**');
    await page.getByRole('checkbox', { name: 'The text is Markdown' }).click();
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('row', { name: /Delay.*day/ }).waitFor();
    expect(await all('templates')).toMatchObject([
      { name: 'Delay', text: '**{{day}}**', content_type: 'markdown', variables: ['day'] },
    ]);
    await page.getByRole('button', { name: 'Delete Delay' }).click();
    await page.getByRole('button', { name: 'Delete template' }).click();
    await page.getByRole('heading', { name: 'No templates' }).waitFor();
    await expect.poll(() => all('templates'), PATIENT).toEqual([]);
  });
});
