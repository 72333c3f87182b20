import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasChromium())('The platforms of the dashboard', () => {
  const telegram = new TelegramSimulator();
  const discord = new DiscordSimulator();
  let stage: DashboardStage;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), telegram.start(), discord.start()]);
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await telegram.stop();
    await discord.stop();
  });

  /** Fills in the form of Telegram for an account of the simulator. */
  async function connect(page: Page, name: string, token: string): Promise<void> {
    const { settings } = telegram.account();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Bot token').fill(token);
    await page.locator('summary').click();
    await page.getByLabel('Address of the platform').fill(String(settings.api_base_url));
    await page.getByRole('button', { name: 'Connect' }).click();
  }

  const token = () => String(telegram.account().credentials.bot_token);
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  it('connect an account with the form of its adapter, and show it as connected once the platform has responded', async () => {
    const page = await stage.open('/platforms');
    await page.getByText('Nothing is connected yet').waitFor();
    await page.getByRole('link', { name: 'Connect Telegram' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Enter a value.').waitFor();
    await connect(page, 'Support bot', token());
    await heading(page, 'Support bot');
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText(/The platform answered in \d+ ms/).waitFor();
    const { body } = await stage.service
      .client()
      .get('/openapi/platforms/connections?filter=name:Support%20bot');
    expect(body.data).toMatchObject([
      { status: 'connected', credentials_set: ['bot_token', 'webhook_secret'] },
    ]);
  });

  it('show the required action when the platform refuses the token, and accept a new one', async () => {
    const page = await stage.open('/platforms/new/telegram');
    await connect(page, 'Wrong token', '1:wrong');
    await heading(page, 'Wrong token');
    await page.getByText('Error', { exact: true }).waitFor();
    await page.getByText('An owner or admin has to act.').waitFor();
    await page.getByLabel('Bot token').fill(token());
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('An owner or admin has to act.').waitFor({ state: 'detached' });
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  it('show the service’s error at its field', async () => {
    const page = await stage.open('/platforms/new/telegram');
    await connect(page, 'Malformed', 'no token at all');
    await page.getByText(/A bot token looks like/).waitFor();
    expect(await page.getByLabel('Bot token').getAttribute('aria-invalid')).toBe('true');
    await stage.leave(/status of 400/);
  });

  it('pause a connection and resume it', async () => {
    const page = await stage.open('/platforms');
    await page.getByRole('link', { name: /Support bot/ }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  it('name the settings and their values in the language of the page', async () => {
    const page = await stage.open('/platforms');
    await page.getByRole('link', { name: /Support bot/ }).click();
    const policy = page.getByRole('combobox', { name: 'When it is unknown whether a message was sent' });
    await policy.click();
    const values = page.getByRole('option');
    await values.first().waitFor();
    expect(await values.allInnerTexts()).toEqual(['Ask the platform', 'Leave it to a person', 'Send again']);
    await page.getByRole('option', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const stored = async () =>
      (await stage.service.client().must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections')).data
        .filter(({ name }) => name === 'Support bot')
        .map(({ settings }) => (settings as Json).uncertain_policy);
    await expect.poll(stored).toEqual(['retry']);
    const { pathname } = new URL(page.url());
    const spanish = await stage.open(pathname.replace('/dashboard', ''), { locale: 'es' });
    const own = spanish.getByRole('combobox', { name: 'Cuando no se sabe si un mensaje se envió' });
    await own.getByText('Volver a enviarlo').waitFor();
  });

  it('show a gap on the page of its connection when it is reported', async () => {
    const api = stage.service.client();
    const made = { name: 'Community', ...discord.account() };
    const { id } = await api.must(201, 'POST', '/openapi/platforms/discord/connections', made);
    const hasSession = (count: number) =>
      expect.poll(() => discord.ledger.counts()['gateway.identify'] ?? 0).toBe(count);
    const switched = (enabled: boolean) =>
      api.must(200, 'PATCH', `/openapi/platforms/connections/${id}`, { enabled });
    await hasSession(1);
    const page = await stage.open(`/platforms/${id}`);
    await heading(page, 'Community');
    expect(await page.getByRole('heading', { name: 'Messages may be missing' }).count()).toBe(0);
    // The session is stored when the first message is.
    await discord.post({ chatId: discord.chats()[0]?.id ?? '', sender: 'Ada', text: 'Hello' });
    await expect
      .poll(async () => (await api.must(200, 'GET', `/openapi/platforms/connections/${id}`)).counters)
      .toMatchObject({ received: 1 });
    await switched(false);
    discord.forgetSessions();
    await switched(true);
    await heading(page, 'Messages may be missing');
    await page.getByText('Invalid session').waitFor();
  });

  it('delete a connection on a phone after its name was typed', async () => {
    const page = await stage.open('/platforms', { viewport: PHONE });
    await page.getByRole('link', { name: /Wrong token/ }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its chats are unlinked from their conversations.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type Wrong token to confirm').fill('Wrong token');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Platforms');
    await expect.poll(() => page.getByRole('link', { name: /Wrong token/ }).count()).toBe(0);
    const width = 'document.documentElement.scrollWidth';
    expect(await page.evaluate(width)).toBeLessThanOrEqual(PHONE.width);
  });
});
