import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

/** One more than the page size of the service. */
const MANY = 101;

describe.skipIf(!hasChromium())('Choosing segments and templates for a broadcast', () => {
  let stage: DashboardStage;
  let segment: Json;
  let template: Json;

  beforeAll(async () => {
    stage = await DashboardStage.start();
    const api = stage.service.client();
    const filter = 'email:nobody@example.test';
    for (let made = 0; made < MANY; made++) {
      const name = `Many ${String(made).padStart(3, '0')}`;
      await api.must(201, 'POST', '/openapi/segments', { name, filter });
      await api.must(201, 'POST', '/openapi/templates', { name, text: 'One of many' });
    }
    segment = await api.must(201, 'POST', '/openapi/segments', { name: 'Zürich "<b>old</b>"', filter });
    await api.must(201, 'POST', '/openapi/segments', { name: '会员', filter });
    template = await api.must(201, 'POST', '/openapi/templates', { name: 'Zebra', text: 'Hello {{who}}' });
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  it('finds them by name beyond the first hundred, and shows them again in the draft', async () => {
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Far down');
    const source = page.getByRole('combobox', { name: 'Text or template' });
    await source.fill('zeb');
    await page.getByRole('option', { name: 'Zebra' }).click();
    await page.getByText('Hello {{who}}', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'who' }).fill('friend');
    const segments = page.getByRole('combobox', { name: 'Segments', exact: true });
    await segments.click();
    // The list of the other field may still be closing.
    await page.getByText('There are more. Write more of the name.').last().waitFor();
    await segments.fill('zzz');
    await page.getByText('Nothing has this in its name.').waitFor();
    await segments.fill('"<b>OLD');
    await page.getByRole('option', { name: 'Zürich' }).waitFor();
    await segments.press('Enter');
    const chosen = page.getByRole('list', { name: 'Segments', exact: true });
    await chosen.getByText('Zürich "<b>old</b>"').waitFor();
    expect(await segments.inputValue()).toBe('');
    const excluded = page.getByRole('combobox', { name: 'Excluded segments' });
    await excluded.fill('会员');
    await page.getByRole('option', { name: '会员' }).click();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await chosen.getByText('Zürich').waitFor();
    await page.getByRole('list', { name: 'Text or template' }).getByText('Zebra').waitFor();
    await page.getByRole('list', { name: 'Excluded segments' }).getByText('会员').waitFor();
    const { data } = (await stage.service.client().get<{ data: Json[] }>('/openapi/broadcasts')).body;
    expect(data[0]).toMatchObject({
      template_id: template.id,
      variables: { who: 'friend' },
      audience: { segment_ids: [segment.id], exclude: { segment_ids: [expect.any(String)] } },
    });
  });

  it('shows the text field again when the template is removed', async () => {
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('combobox', { name: 'Text or template' }).fill('Zebra');
    await page.getByRole('option', { name: 'Zebra' }).click();
    await page.getByRole('button', { name: 'Remove Zebra' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
  });
});
