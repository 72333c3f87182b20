import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

const STEP_MS = 30_000;

describe.skipIf(!hasChromium())('The two-step sign-in of the dashboard', () => {
  let stage: DashboardStage;

  beforeAll(async () => {
    stage = await DashboardStage.startService();
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.stop());

  const codeOf = (secret: string, stepsAhead = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.now() + stepsAhead * STEP_MS,
    });

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail address').fill(OWNER_EMAIL);
    await page.getByLabel('Password').fill(OWNER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('is turned on with a QR code, required at the sign-in, and turned off with a recovery code', async () => {
    const page = await stage.open('/settings/sign-in');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('Expected the password that you signed in with.').waitFor();
    await dialog.getByLabel('Password').fill(OWNER_PASSWORD);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = (await dialog.getByRole('region', { name: 'Secret' }).innerText()).trim();
    await dialog.getByLabel('Code of the app').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.getByRole('region', { name: 'Recovery codes' }).innerText())
      .trim()
      .split('\n');
    expect(codes).toHaveLength(10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toEqual(codes);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left').waitFor();

    await page.context().clearCookies();
    await page.goto(`${stage.service.url}/dashboard/login?return_to=/dashboard/settings/sign-in`);
    await signIn(page);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong code, or one that was used before.').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByLabel('Code').fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Password').fill(OWNER_PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill(codes[0] as string);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-step sign-in is off').waitFor();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    await stage.leave(/status of 400 .*api\/second-step/, /status of 400 .*session\/second-step/);
  });
});
