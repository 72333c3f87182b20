import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import type { Json } from '../support/api-client.js';
import { axeFindings } from '../support/axe.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('The composer of broadcasts', () => {
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

  const read = async (id: unknown) => (await stage.service.client().get(`/openapi/broadcasts/${id}`)).body;
  const found = async (name: string) => {
    const { data } = (await stage.service.client().get<{ data: Json[] }>('/openapi/broadcasts')).body;
    return data.find((each) => each.name === name);
  };
  const recipients = async (id: unknown) =>
    (await stage.service.client().get<{ data: Json[] }>(`/openapi/broadcasts/${id}/recipients`)).body.data;
  const textOf = async ({ message_id: id }: Json) =>
    (await stage.service.client().get(`/openapi/messages/${id}`)).body.text;

  it('previews the broadcast while it is written, and starts it', async () => {
    const page = await stage.open('/broadcasts');
    await page.getByRole('link', { name: 'New broadcast' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Opening');
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{who}}, come in');
    expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms +441632960001\n+441632960002');
    await page.getByText('No platform and address in line 2').waitFor();
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms +441632960001\nsms +441632960002');
    await page.getByText('Skipped: 2 (Missing variable)').waitFor();
    await page.getByRole('textbox', { name: 'who' }).fill('friend');
    await page.getByText('2 recipients get the message').waitFor();
    await page
      .getByRole('list', { name: 'By platform' })
      .getByText('2 recipients · 2 messages · bills 2 segments')
      .waitFor();
    await page.getByRole('list', { name: 'Examples' }).getByText('Hello friend, come in').first().waitFor();
    await page.getByRole('button', { name: 'Save and start…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('heading', { name: 'Opening' }).waitFor();
    const { id } = (await found('Opening')) as Json;
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('completed');
    const reached = await recipients(id);
    expect(await Promise.all(reached.map(textOf))).toEqual(Array(2).fill('Hello friend, come in'));
  });

  it('counts the recipients that will be skipped, and takes variables from an uploaded list', async () => {
    const api = stage.service.client();
    const phone = '+441632961000';
    const refused = { display_name: 'Refused', phone, consent: { marketing: 'denied' } };
    await api.must(201, 'POST', '/openapi/users', refused);
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Codes');
    await page.getByRole('textbox', { name: 'Text' }).fill('Your code: {{code}}');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a list (CSV)' }).click(),
    ]);
    await chooser.setFiles({
      name: 'codes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('platform,address,code\nsms,+441632961001,A-1\nsms,+441632961002,B-2\n'),
    });
    await page.getByRole('list', { name: 'Segments', exact: true }).getByText('codes.csv (2)').waitFor();
    await page.getByRole('textbox', { name: 'Filter of contacts' }).fill(`phone:"${phone}"`);
    await page.getByText('Skipped: 1 (Opted out)').waitFor();
    await page.getByRole('list', { name: 'Examples' }).getByText('Your code: B-2').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { name: 'Codes' }).waitFor();
    await page.getByText('Draft', { exact: true }).waitFor();
    const stored = (await found('Codes')) as Json;
    expect(stored.audience).toMatchObject({ filter: `phone:"${phone}"`, segment_ids: [expect.any(String)] });
  });

  it('changes a draft and keeps the fields that an API client stored in it', async () => {
    const api = stage.service.client();
    const user = await api.must(201, 'POST', '/openapi/users', {
      display_name: 'Ada',
      phone: '+441632962000',
    });
    const { id } = await api.must(201, 'POST', '/openapi/broadcasts', {
      name: 'Sale',
      text: 'Old text',
      draft: true,
      metadata: { campaign: 7 },
      throttle: { per_minute: 60 },
      audience: {
        user_ids: [user.id],
        recipients: [{ platform: 'sms', address: '+441632962001', variables: { code: 'A' } }],
      },
    });
    const before = await read(id);
    const page = await stage.open(`/broadcasts/${id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Chosen by a program: 1 contact.').waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill('New text');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.getByText('New text').waitFor();
    const { updated_at: _, text, ...after } = await read(id);
    const { updated_at: __, text: ___, ...former } = before;
    expect(text).toBe('New text');
    expect(after).toEqual(former);
  });

  it('schedules with throttle, fallback and quiet hours, and keeps them when the text is edited', async () => {
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Later');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Good morning');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms +441632963001');
    await page.getByRole('combobox', { name: 'Begin' }).click();
    await page.getByRole('option', { name: 'At the same moment for all' }).click();
    expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
    await page.getByLabel('Date and time', { exact: true }).fill(`${day}T09:00`);
    await page.getByLabel('Quiet from').fill('21:00');
    await page.getByLabel('Quiet until').fill('08:00');
    await page.getByRole('checkbox', { name: 'Sun' }).click();
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByText('No time zone has this name').waitFor();
    await page.getByLabel('Time zone').fill('Asia/Kolkata');
    await page.getByRole('combobox', { name: 'Platforms in order' }).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await page.getByLabel('Recipients per minute').fill('600');
    await page.getByLabel('Minutes until the next platform').fill('15');
    await page.getByText('1 recipient gets the message').waitFor();
    await page.getByRole('button', { name: 'Save and start…' }).click();
    await page.getByRole('dialog').getByText('The broadcast begins at').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { name: 'Later' }).waitFor();
    const { id } = (await found('Later')) as Json;
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('scheduled');
    const wanted = {
      platforms: ['sms'],
      throttle: { per_minute: 600 },
      fallback: { after_seconds: 900, success_status: 'delivered' },
      schedule: {
        at: `${day}T03:30:00.000Z`,
        local_time: null,
        mode: 'fixed',
        quiet_hours: { days: [0], from: '21:00', to: '08:00', timezone: 'Asia/Kolkata' },
        expires_at: null,
      },
    };
    expect(await read(id)).toMatchObject(wanted);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Good day');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Scheduled', { exact: true }).waitFor();
    expect(await read(id)).toMatchObject({ ...wanted, text: 'Good day', status: 'scheduled' });
  });

  it('tells in the language of the person what each platform bills and does not show', async () => {
    for (const [locale, texts] of [
      ['es', ['Texto', 'Direcciones', 'El texto es Markdown', 'Por plataforma', 'No se muestra: negrita']],
      ['zh-CN', ['文本', '地址', '文本为 Markdown', '按平台', '不显示：粗体']],
    ] as const) {
      const [text, addresses, markdown, platforms, lost] = texts;
      const page = await stage.open('/broadcasts/new', { locale });
      await page.getByRole('textbox', { name: text, exact: true }).fill('**Open** today');
      await page.getByRole('checkbox', { name: markdown }).click();
      await page.getByRole('textbox', { name: addresses }).fill('sms +441632966001');
      await page.getByRole('list', { name: platforms }).getByText(lost).waitFor();
      // The example is formatted as the text will be.
      await page.locator('strong').getByText('Open').waitFor();
      await page.getByRole('textbox', { name: text, exact: true }).fill('');
    }
  });

  it('schedules at the local time of each recipient, and shows that time', async () => {
    const page = await stage.open('/broadcasts/new', { locale: 'en-US', timezoneId: 'Asia/Tokyo' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Breakfast');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Good morning');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms +441632967001');
    await page.getByRole('combobox', { name: 'Begin' }).click();
    await page.getByRole('option', { name: 'At the local time of each recipient' }).click();
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
    await page.getByLabel('Local date and time').fill(`${day}T09:00`);
    await page.getByText('1 recipient has no time zone and counts as UTC').waitFor();
    await page.getByRole('button', { name: 'Save and start…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/9:00 AM in the time zone of each recipient/).waitFor();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { name: 'Breakfast' }).waitFor();
    await page.getByText(/9:00 AM, on the clock of each recipient/).waitFor();
    const { schedule } = (await found('Breakfast')) as Json;
    expect(schedule).toMatchObject({ mode: 'recipient_local', local_time: `${day}T09:00`, at: null });
  });

  it('offers variants of the text with weights, and sends the one that is left after a removal', async () => {
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Two ways');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms +441632964001');
    await page.getByRole('button', { name: 'Add a variant' }).click();
    await page.getByRole('textbox', { name: 'Text of variant B' }).fill('Good morning, {{who}}');
    await page.getByRole('textbox', { name: 'who' }).fill('friend');
    await page.getByLabel('Weight of variant A').fill('1');
    await page.getByLabel('Weight of variant B').fill('99');
    await page.getByText('About 99 % of the recipients').waitFor();
    await page.getByText('1 recipient gets the message').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    const text = page.getByRole('textbox', { name: 'Text of variant B' });
    expect(await text.inputValue()).toBe('Good morning, {{who}}');
    await page.getByRole('button', { name: 'Remove variant A' }).click();
    await page.getByRole('button', { name: 'Save and start…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('heading', { name: 'Two ways' }).waitFor();
    const { id } = (await found('Two ways')) as Json;
    await expect.poll(async () => (await read(id)).status, PATIENT).toBe('completed');
    const reached = await recipients(id);
    expect(reached.map(({ variant }) => variant)).toEqual(['B']);
    expect(await Promise.all(reached.map(textOf))).toEqual(['Good morning, friend']);
  });

  it('rehearses a broadcast and shows its duration, its billed segments and phones with its messages', async () => {
    const page = await stage.open('/broadcasts/new');
    const rehearse = page.getByRole('button', { name: 'Rehearse' });
    expect(await rehearse.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{who}}');
    const lines = Array.from({ length: 30 }, (_, n) => `sms +4416329630${String(n).padStart(2, '0')}`);
    await page.getByRole('textbox', { name: 'Addresses' }).fill(lines.join('\n'));
    await rehearse.click();
    const phones = page.getByRole('region', { name: 'What recipients would see' });
    await phones.getByText('Nothing arrives').first().waitFor();
    await phones.getByText('Without a value: who').first().waitFor();
    await page.getByRole('textbox', { name: 'who' }).fill('x'.repeat(200));
    await page.getByText('The broadcast has changed since.').waitFor();
    await page.getByRole('button', { name: 'Rehearse again' }).click();
    // Two segments each, at one a second.
    const shop = page.getByRole('list', { name: 'Duration by platform' });
    await shop.getByText('30 recipients, 30 messages. 30 chats are new. Bills 60 segments.').waitFor();
    await shop.getByRole('img', { name: /^SMS: 1 min/ }).waitFor();
    await expect.poll(() => phones.getByRole('listitem').count(), PATIENT).toBe(20);
    expect(await phones.getByRole('region', { name: 'Phone of' }).first().innerText()).toContain('Hello xxx');
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello');
    await page.getByRole('textbox', { name: 'Addresses' }).fill(lines.join('\n'));
    await page.getByRole('button', { name: 'Rehearse' }).click();
    await phones.getByRole('listitem').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('shows why the service refuses a broadcast', async () => {
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms tomorrow');
    await page
      .getByRole('alert')
      .getByText(/audience\.recipients\.0\.address/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Addresses' }).fill('');
    await page.getByRole('textbox', { name: 'Filter of contacts' }).fill('colour:red');
    await page
      .getByRole('alert')
      .getByText(/audience\.filter/)
      .waitFor();
    const refused = /status of 400 .*openapi\/broadcasts/;
    await stage.leave(refused, refused);
  });
});
