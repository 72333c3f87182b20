import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('The request log of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  it('shows a request without a reload, and finds it by status, path and id', async () => {
    const page = await stage.open('/developers/requests');
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row');
    const send = (path: string, id: string) =>
      stage.service.client().get(path, { headers: { 'x-request-id': id } });
    await page.getByText('No requests').waitFor();
    await send('/openapi/messages?limit=1', 'request-that-is-done');
    await rows.filter({ hasText: 'request-that-is-done' }).getByText('200 Done').waitFor();
    await send('/openapi/nothing/here', 'request-to-nowhere');
    await rows.filter({ hasText: 'request-to-nowhere' }).getByText('404 Refused').waitFor();
    const done = page.getByText('request-that-is-done');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Refused (4xx)' }).click();
    await done.waitFor({ state: 'detached' });
    await page.getByText('request-to-nowhere').waitFor();
    await page.getByLabel('Path begins with').fill('/openapi/messages');
    await page.getByText('No request of the last 24 hours matches').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Any status' }).click();
    await done.waitFor();
    await page.getByLabel('Path begins with').fill('');
    await page.getByLabel('Request ID').fill('request-to-nowhere');
    await done.waitFor({ state: 'detached' });
    await page.getByText('request-to-nowhere').waitFor();
  });
});
