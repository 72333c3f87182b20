import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The analytics of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
    const api = stage.service.client();
    const me = await api.must(200, 'GET', '/openapi/users/me');
    for (const title of ['One', 'Two']) {
      const body = { title, participant_ids: [me.id], message: { text: 'Hello' } };
      const { id } = await api.must(201, 'POST', '/openapi/conversations', body);
      await api.must(200, 'PATCH', `/openapi/conversations/${id}`, { status: 'resolved' });
    }
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const totals = (page: Page, name: string) =>
    page
      .getByRole('table', { name })
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell')
      .allInnerTexts();
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('show the numbers of a resource as a plot and a table', async () => {
    const page = await stage.open('/analytics');
    await page.getByRole('img', { name: 'Plot: Messages' }).locator('canvas').waitFor();
    expect(await totals(page, 'Numbers: Messages')).toEqual(['0', '0', '2', '0']);
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('table', { name: 'Numbers: Conversations' }).waitFor();
    expect(await totals(page, 'Numbers: Conversations')).toEqual(['2', '2', '0', '2']);
    const [response, closing] = await totals(page, 'Numbers: Waiting times, on average');
    expect([response, closing]).toEqual(['–', expect.stringMatching(/sec/)]);
    const table = page.getByRole('table', { name: 'Numbers: Conversations' });
    expect(await table.getByRole('row').count()).toBe(1 + 1 + 7);
  });

  it('follow the chosen range, group, measure and time zone, and are exported as CSV', async () => {
    const page = await stage.open('/analytics/messages', { locale: 'en' });
    const table = page.getByRole('table', { name: 'Numbers: Messages' });
    await table.waitFor();
    await choose(page, 'Range', '30 days');
    await expect.poll(() => table.getByRole('row').count(), PATIENT).toBe(32);
    await choose(page, 'Group', 'By agent');
    await choose(page, 'Measure: Messages', 'Internal');
    await expect.poll(() => totals(page, 'Numbers: Messages'), PATIENT).toEqual(['2']);
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('asia/tokyo');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(download.url()).toContain('time_zone=Asia%2FTokyo');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe('day,agent,inbound,outbound,internal,failed');
    expect(lines.slice(1).map((line) => Number(line.split(',')[4]))).toContain(2);
    expect(lines).toHaveLength(31);
  });

  it('fit a phone, where each value is next to its title', async () => {
    const page = await stage.open('/analytics/conversations', { viewport: { width: 390, height: 844 } });
    const region = page.getByRole('region', { name: 'Numbers: Conversations' });
    await region.getByRole('row', { name: /^Total/ }).waitFor();
    expect(await region.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    expect(await totals(page, 'Numbers: Conversations')).toEqual(['2', '2', '0', '2']);
    const title = 'getComputedStyle(document.querySelector("tbody td"), "::before").content';
    expect(await page.evaluate<string>(title)).toBe('"Created"');
  });

  it('ask for a missing date, and refuse a range of more than 400 days', async () => {
    const page = await stage.open('/analytics/webhooks');
    await choose(page, 'Range', 'Other dates');
    await page.getByRole('heading', { name: 'Choose a first day' }).waitFor();
    await page.getByLabel('First day').fill('2024-01-01');
    await page.getByLabel('Last day').fill('2026-01-01');
    await page.getByRole('heading', { name: 'Choose at most 400 days' }).waitFor();
    await page.getByLabel('First day').fill('2025-12-31');
    const table = page.getByRole('table', { name: 'Numbers: Attempts' });
    await expect.poll(() => table.getByRole('row').count(), PATIENT).toBe(4);
  });
});
