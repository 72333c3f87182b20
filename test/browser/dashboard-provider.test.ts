import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, visit } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { type OpenIdServer, openIdEnvironment, startOpenIdProvider } from '../support/openid-provider.js';
import { OWNER_EMAIL } from '../support/service-process.js';

describe.skipIf(!hasChromium())('The button of a sign-in provider', () => {
  let provider: OpenIdServer;
  let stage: DashboardStage;

  beforeAll(async () => {
    provider = await startOpenIdProvider();
    stage = await DashboardStage.startService({ env: openIdEnvironment(provider) });
    provider.admit(stage.service.url);
    provider.accounts.set('owner', { email: OWNER_EMAIL, email_verified: true, groups: ['crew'] });
  });
  afterEach(() => stage.leave(/status of (400|401|403)/));
  afterAll(async () => {
    await stage?.stop();
    await provider?.stop();
  });

  async function open(path: string): Promise<Page> {
    const visitor = await visit(stage.browser, [stage.service.url, provider.issuer]);
    stage.visitors.push(visitor);
    await visitor.page.goto(stage.service.url + path);
    return visitor.page;
  }

  it('signs in by keyboard and opens the requested page', async () => {
    provider.person = 'owner';
    const page = await open('/dashboard/contacts');
    const button = page.getByRole('link', { name: 'Sign in with Example' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/contacts');
    const cookies = await page.context().cookies(stage.service.url);
    expect(cookies.filter(({ name }) => name.startsWith('tl_'))).toMatchObject([
      { name: 'tl_session', httpOnly: true, sameSite: 'Strict' },
    ]);
  });

  it('shows an error after a refusal, and works at the next attempt', async () => {
    provider.person = undefined;
    const page = await open('/dashboard/login');
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.getByRole('alert').getByText('The sign-in was stopped at the provider.').waitFor();
    provider.person = 'owner';
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });
});
