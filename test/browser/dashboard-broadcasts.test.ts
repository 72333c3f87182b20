import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import type { Json } from '../support/api-client.js';
import { invite, ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The broadcasts of the dashboard', () => {
  const sms = new TwilioSimulator({ limits: 'none' });
  let stage: DashboardStage;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), sms.start()]);
    const api = stage.service.client();
    await api.must(201, 'POST', '/openapi/platforms/sms/connections', { name: 'Shop', ...sms.account() });
    const connections = async () =>
      (await api.get<{ data: Json[] }>('/openapi/platforms/connections')).body.data;
    await waitUntil(async () => (await connections())[0]?.status === 'connected');
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await sms.stop();
  });

  const numbers = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => ({ platform: 'sms', address: `+4416329${60_000 + from + n}` }));
  const create = (body: Json) => stage.service.client().must(201, 'POST', '/openapi/broadcasts', body);
  const read = async (id: unknown) => (await stage.service.client().get(`/openapi/broadcasts/${id}`)).body;

  it('appear in the list when they are created, and follow their progress', async () => {
    const page = await stage.open('/broadcasts');
    await page.getByRole('heading', { name: 'No broadcasts' }).waitFor();
    await create({ name: 'Opening hours', text: 'Open today', audience: { recipients: numbers(3, 0) } });
    const row = page.getByRole('row', { name: /Opening hours/ });
    await row.getByText('Completed').waitFor();
    await row.getByText('3 of 3', { exact: true }).waitFor();
  });

  it('are up to date after a change while another screen was open', async () => {
    const { id } = await create({
      name: 'Elsewhere',
      text: 'Meanwhile',
      draft: true,
      audience: { recipients: numbers(2, 200) },
    });
    const page = await stage.open('/broadcasts');
    const row = page.getByRole('row', { name: /Elsewhere/ });
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
    await page.getByText('Draft').waitFor();
    await page.getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    // From here on only events can change the shown status.
    await page.route('**/dashboard/api/openapi/broadcasts*', () => undefined);
    await page.route('**/dashboard/api/openapi/broadcasts/**', () => undefined);
    await stage.service.client().must(200, 'POST', `/openapi/broadcasts/${id}/start`);
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('completed');
    await page.getByRole('link', { name: 'Broadcasts' }).click();
    await row.getByText('Completed').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
    await page.getByText('Completed').waitFor();
  });

  it('measure their rate first, and then show it with the expected end', async () => {
    const { id } = await create({
      name: 'Slow',
      text: 'One a second',
      throttle: { per_minute: 60 },
      audience: { recipients: numbers(90, 300) },
    });
    const page = await stage.open(`/broadcasts/${id}`);
    const fact = (name: string) => page.locator(`dt:has-text("${name}") + dd`);
    await fact('Rate').getByText('Measuring…').waitFor();
    await fact('Expected end')
      .getByText(/\d:\d\d/)
      .waitFor();
    await fact('Rate')
      .getByText(/^\d+ per minute$/)
      .waitFor({ timeout: 60_000 });
    await stage.service.client().must(204, 'DELETE', `/openapi/broadcasts/${id}`);
    await fact('Rate').waitFor({ state: 'detached' });
  });

  it('show each recipient with its message, filter recipients, and export them as CSV', async () => {
    const opted = { display_name: 'Opted Out', phone: '+441632961999', consent: { marketing: 'denied' } };
    const user = await stage.service.client().must(201, 'POST', '/openapi/users', opted);
    const { id } = await create({
      name: 'Sale',
      text: 'Hello {{who}}',
      variables: { who: 'friend' },
      audience: { recipients: numbers(2, 100), user_ids: [user.id] },
    });
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('completed');
    const page = await stage.open(`/broadcasts/${id}`);
    await page.getByRole('button', { name: 'Message to +441632960100' }).click();
    await page.getByRole('dialog').getByText('Hello friend').waitFor();
    await page.getByRole('button', { name: 'History of this message' }).click();
    const steps = page.getByRole('list', { name: 'Steps of the message' });
    await steps.getByText('Queued by the broadcast').waitFor();
    await steps.getByText('Accepted by the platform').waitFor();
    await page.keyboard.press('Escape');
    await steps.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    const table = page.getByRole('table', { name: 'Recipients' });
    await expect.poll(() => table.getByRole('row').count(), PATIENT).toBe(4);
    await page.getByRole('combobox', { name: 'State of recipients' }).click();
    await page.getByRole('option', { name: 'Skipped' }).click();
    await expect.poll(() => table.getByRole('row').count(), PATIENT).toBe(2);
    await table.getByRole('link', { name: /Opted Out/ }).waitFor();
    await table.getByRole('cell', { name: 'Opted out', exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${user.id},,`);
    expect(lines[1]).toContain('skipped,opted_out');
  });

  it('start after a dry run and a typed confirmation, and can be paused, resumed and canceled', async () => {
    const { id } = await create({
      name: 'Many',
      text: 'One of many',
      draft: true,
      throttle: { per_minute: 1 },
      audience: { recipients: numbers(1_001, 1_000) },
    });
    const page = await stage.open(`/broadcasts/${id}`);
    await page.getByRole('button', { name: 'Start…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1,001 recipients get the message').waitFor();
    const start = dialog.getByRole('button', { name: 'Start now' });
    await dialog.getByLabel('Type 1001 to confirm').fill('1000');
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 1001 to confirm').fill('1001');
    await start.click();
    await page.getByRole('img', { name: /^SMS: .*Pending 1000/ }).waitFor();
    const whole: string[] = [];
    let progress = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(`/openapi/broadcasts/${id}`)) whole.push(request.url());
      if (request.url().endsWith(`/broadcasts/${id}/progress`)) progress += 1;
    });
    await expect.poll(() => progress, PATIENT).toBeGreaterThan(1);
    expect(whole).toEqual([]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('sending');
    await page.getByRole('button', { name: 'Cancel broadcast' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel broadcast' }).click();
    await page.getByText('Canceled 1,000').first().waitFor();
    await page.getByRole('button', { name: 'Cancel broadcast' }).waitFor({ state: 'detached' });
    expect((await read(id)).status).toBe('canceled');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const [, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    const addresses = lines.map((line) => /\+4416329\d{5}/.exec(line)?.[0]);
    expect(addresses.sort()).toEqual(numbers(1_001, 1_000).map(({ address }) => address));
  });

  it('try failed recipients again', async () => {
    const [recipient] = numbers(1, 300);
    const address = String(recipient?.address);
    sms.failDelivery(address, 30_003);
    const { id } = await create({ name: 'Again', text: 'Once more', audience: { recipients: [recipient] } });
    await expect.poll(async () => (await read(id)).counts, PATIENT).toMatchObject({ failed: 1 });
    const page = await stage.open(`/broadcasts/${id}`);
    sms.failDelivery(address, undefined);
    await page.getByRole('button', { name: 'Retry failed…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await read(id)).counts, PATIENT).toMatchObject({ failed: 0 });
    await page.getByRole('button', { name: 'Retry failed…' }).waitFor({ state: 'detached' });
  });

  it('are shown to viewers without any actions', async () => {
    const { id } = await create({
      name: 'Watched',
      text: 'Only read',
      draft: true,
      audience: { recipients: numbers(1, 400) },
    });
    const viewer = await invite(stage.service, await ownerBrowser(stage.service), 'watcher', 'viewer');
    const page = await stage.open('/broadcasts', {}, viewer);
    const main = page.getByRole('main');
    const actions = main.getByRole('button').filter({ hasNotText: 'Any state' });
    await page.getByRole('link', { name: 'Watched' }).click();
    await page.getByText('Only read').waitFor();
    expect(await actions.allInnerTexts()).toEqual([]);
    expect(await main.getByRole('link').allInnerTexts()).toEqual(['Broadcasts']);
    for (const path of ['/broadcasts/new', `/broadcasts/${id}/edit`]) {
      await page.goto(`${stage.service.url}/dashboard${path}`);
      await page.getByRole('heading', { name: 'You cannot write broadcasts' }).waitFor();
      expect(await actions.allInnerTexts()).toEqual([]);
    }
    for (const list of ['segments', 'templates']) {
      await page.goto(`${stage.service.url}/dashboard/broadcasts/${list}`);
      await page.getByRole('heading', { name: /^No (?:segments|templates)$/ }).waitFor();
      expect(await actions.allInnerTexts()).toEqual([]);
    }
  });
});
