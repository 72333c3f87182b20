import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import type { Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

const PATIENT = { timeout: 30_000 };

describe.skipIf(!hasChromium())('An ended broadcast of the dashboard', () => {
  const sms = new TwilioSimulator({ limits: 'none' });
  const slack = new SlackSimulator({ limits: 'none' });
  let stage: DashboardStage;

  beforeAll(async () => {
    [stage] = await Promise.all([DashboardStage.start(), sms.start(), slack.start()]);
    const api = stage.service.client();
    for (const simulator of [sms, slack]) {
      const path = `/openapi/platforms/${simulator.platform}/connections`;
      await api.must(201, 'POST', path, { name: simulator.platform, ...simulator.account() });
    }
    const connections = async () =>
      (await api.get<{ data: Json[] }>('/openapi/platforms/connections')).body.data;
    await waitUntil(async () => (await connections()).every(({ status }) => status === 'connected'));
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await Promise.all([sms.stop(), slack.stop()]);
  });

  it('can be edited and recalled after a dialog shows for how many recipients that is possible', async () => {
    const api = stage.service.client();
    const recipients = [
      { platform: 'slack', address: slack.address(0) },
      { platform: 'sms', address: sms.address(0) },
    ];
    const { id } = await api.must(201, 'POST', '/openapi/broadcasts', {
      name: 'Opening hours',
      text: 'Open until 5',
      audience: { recipients },
    });
    const read = async () => (await api.get(`/openapi/broadcasts/${id}`)).body.status;
    await expect.poll(read, PATIENT).toBe('completed');
    const page = await stage.open(`/broadcasts/${id}`);
    await page.getByRole('button', { name: 'Edit messages…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Possible for 1 recipient').waitFor();
    await dialog.getByText('Not possible: 1 (the platform has no edits)').waitFor();
    const start = dialog.getByRole('button', { name: 'Edit messages' });
    // An edit that changes nothing is not offered.
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel('New text').fill('Open until 6');
    await start.click();
    const edit = page.getByRole('img', { name: 'slack: Edited 1' });
    await edit.waitFor(PATIENT);
    await page.getByRole('img', { name: 'sms: Not supported by the platform 1' }).waitFor(PATIENT);
    const seen = () => slack.messages(slack.address(0)).filter(({ own, deleted }) => own && !deleted);
    expect(seen()).toMatchObject([{ text: 'Open until 6', edited: true }]);
    await page.getByRole('button', { name: /^Results: Edit/ }).click();
    const results = page.getByRole('table', { name: 'Results' });
    await expect.poll(() => results.getByRole('row').count(), PATIENT).toBe(3);
    await page.getByRole('combobox', { name: 'Result' }).click();
    await page.getByRole('option', { name: 'Edited' }).click();
    await expect.poll(() => results.getByRole('row').count(), PATIENT).toBe(2);

    await page.getByRole('button', { name: 'Recall messages…' }).click();
    await dialog.getByText('Not possible: 1 (the platform has no deletions)').waitFor();
    await dialog.getByRole('button', { name: 'Recall messages' }).click();
    await page.getByRole('img', { name: 'slack: Recalled 1' }).waitFor(PATIENT);
    await expect.poll(() => seen().length, PATIENT).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Edit messages…' }).count(), PATIENT).toBe(0);
  });

  it('requires the number of recipients to be typed before a recall if there are more than 1,000', async () => {
    const api = stage.service.client();
    const { id } = await api.must(201, 'POST', '/openapi/broadcasts', {
      name: 'Large',
      text: 'Hello',
      audience: {
        recipients: Array.from({ length: 1_001 }, (_, n) => ({
          platform: 'slack',
          address: slack.address(n),
        })),
      },
    });
    const read = async () => (await api.get(`/openapi/broadcasts/${id}`)).body.status;
    await expect.poll(read, { timeout: 90_000 }).toBe('completed');
    const page = await stage.open(`/broadcasts/${id}`);
    await page.getByRole('button', { name: 'Recall messages…' }).click();
    const dialog = page.getByRole('dialog');
    const start = dialog.getByRole('button', { name: 'Recall messages' });
    const typed = dialog.getByLabel('Type 1001 to confirm');
    await typed.fill('100');
    expect(await start.isDisabled()).toBe(true);
    await typed.fill('1,001');
    await expect.poll(() => start.isEnabled(), PATIENT).toBe(true);
  }, 180_000);
});
