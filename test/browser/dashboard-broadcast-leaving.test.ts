import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const LEAVE = 'Leave without saving';

describe.skipIf(!hasChromium())('Leaving the composer of broadcasts', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const write = async (page: Page, name: string) => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello');
    await page.getByRole('textbox', { name: 'Filter of contacts' }).fill('email:nobody@example.test');
  };
  const toList = (page: Page) =>
    page.getByRole('main').getByRole('link', { name: 'Broadcasts', exact: true });

  it('asks for confirmation in the dashboard, and keeps the unsaved work when the person stays', async () => {
    const page = await stage.open('/broadcasts');
    await page.getByRole('link', { name: 'New broadcast' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Unsaved');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('dialog').getByText('They will be lost.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await name.inputValue()).toBe('Unsaved');
    await page.goBack();
    await page.getByRole('dialog').getByRole('button', { name: LEAVE }).click();
    await page.getByRole('link', { name: 'New broadcast' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/broadcasts');
  });

  it('asks through the browser when the page is reloaded with changes, and not without changes', async () => {
    const page = await stage.open('/broadcasts/new');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Unsaved');
    await name.fill('');
    await page.reload();
    await name.waitFor();
    expect(asked).toEqual([]);
    await name.fill('Unsaved');
    await page.reload();
    await name.waitFor();
    expect(asked).toEqual(['beforeunload']);
  });

  it('asks for no confirmation after the broadcast was saved or started', async () => {
    const page = await stage.open('/broadcasts/new');
    await write(page, 'Offer');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello again');
    await page.getByRole('button', { name: 'Save and start…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.waitForURL(/\/broadcasts\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { name: 'Offer', exact: true }).waitFor();
    await toList(page).first().click();
    await page.getByRole('link', { name: 'New broadcast' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Leave without saving?' }).count()).toBe(0);
  });
});
