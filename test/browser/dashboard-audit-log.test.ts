import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { runProgram } from '../support/command-line.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('The audit log of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  it('shows changes, can be filtered by actor and action, and is downloaded as CSV with the same filter', async () => {
    const page = await stage.open('/settings/workspace');
    await page.getByLabel('Name', { exact: true }).fill('Engine Works');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByText('Engine Works').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    const table = page.getByRole('table', { name: 'Audit log' });
    await table.getByRole('cell', { name: 'Signed in' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Who' }).click();
    await page
      .getByRole('option', { name: /\(API key\)$/ })
      .first()
      .waitFor();
    await page.getByRole('option', { name: 'System' }).click();
    await table.getByRole('cell', { name: 'Signed in' }).first().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Who' }).click();
    await page.getByRole('option', { name: 'Anybody' }).click();
    await table.getByRole('cell', { name: 'Signed in' }).first().waitFor();
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Changed the workspace' }).click();
    await table.getByRole('cell', { name: 'Signed in' }).first().waitFor({ state: 'detached' });
    await table.getByRole('cell', { name: 'Changed the workspace' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(
      '"time","actor_type","actor_id","actor","action","object_type","object_id","address",' +
        '"id","workspace_id","number","previous_hash","hash"',
    );
    expect(lines[1]).toMatch(/,"member",.*,"workspace\.changed","workspace",.*,"127\.0\.0\.1",/);
    const file = await download.path();
    const env = { PATH: process.env.PATH ?? '' };
    expect(await runProgram(['audit', 'verify', file, '--partial'], { env })).toMatchObject({ code: 0 });
    expect(await runProgram(['audit', 'verify', file], { env })).toMatchObject({
      code: 1,
      out: expect.stringContaining('missing'),
    });
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('Nothing fits the filter.').waitFor();
  });
});
