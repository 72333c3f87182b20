import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };
const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`This is ${name}`) });

/** Pastes or drops a file onto the text, as a user does from another program. */
const giving = (name: string, event: string) => `{
  const transfer = new DataTransfer();
  transfer.items.add(new File(['${name}'], '${name}', { type: 'text/plain' }));
  const options = { bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(${event});
}`;

describe.skipIf(!hasChromium())('The files of a broadcast', () => {
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

  const first = async () => {
    const { data } = (await stage.service.client().get<{ data: Json[] }>('/openapi/broadcasts')).body;
    return data[0] as Json & { attachments: Json[] };
  };

  it('are chosen, dropped and pasted, shown in the preview, stored, removed and sent', async () => {
    const page = await stage.open('/broadcasts/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Menu');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Our menu');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('sms +441632965001');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Attach files' }).click(),
    ]);
    await chooser.setFiles([textFile('one.txt')]);
    await page.getByRole('textbox', { name: 'Text', exact: true }).focus();
    await page.evaluate(giving('two.txt', "new DragEvent('drop', { ...options, dataTransfer: transfer })"));
    await page.evaluate(
      giving('three.txt', "new ClipboardEvent('paste', { ...options, clipboardData: transfer })"),
    );
    const example = page.getByRole('list', { name: 'Examples' });
    await example.getByText('one.txt, two.txt, three.txt').waitFor();
    await page.getByRole('button', { name: 'Remove two.txt' }).click();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('list', { name: 'Stored attachments' }).getByText('three.txt').waitFor();
    const names = async () => (await first()).attachments.map(({ name }) => name);
    expect(await names()).toEqual(['one.txt', 'three.txt']);
    await page.getByRole('button', { name: 'Remove one.txt' }).click();
    await example.getByText('three.txt', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save and start…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await expect.poll(async () => (await first()).status, PATIENT).toBe('completed');
    expect(await names()).toEqual(['three.txt']);
    const api = stage.service.client();
    const { id } = await first();
    const { data } = (await api.get<{ data: Json[] }>(`/openapi/broadcasts/${id}/recipients`)).body;
    const message = (await api.get<{ attachments: Json[] }>(`/openapi/messages/${data[0]?.message_id}`)).body;
    expect(message.attachments.map(({ name }) => name)).toEqual(['three.txt']);
  });
});
