import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';

describe.skipIf(!hasChromium())('The developer screens of the dashboard', () => {
  const received: { event: string; signature: string }[] = [];
  let status = 200;
  let receiver: Server;
  let address: string;
  let stage: DashboardStage;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { event } = JSON.parse(String(Buffer.concat(chunks))) as { event: string };
        received.push({ event, signature: String(request.headers['x-service-signature']) });
        response.writeHead(status).end(status === 500 ? '<b>Out of <i>paper</i></b>' : '');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    stage = await DashboardStage.start();
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    receiver.close();
  });

  it('add a webhook with chosen events, show its secret, and send a test event whose attempts are listed', async () => {
    const page = await stage.open('/developers/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('nowhere');
    await dialog.getByRole('checkbox', { name: 'All events' }).click();
    await dialog.getByRole('checkbox', { name: /All of conversations/ }).click();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByRole('textbox', { name: 'Address' }).and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await page
      .getByRole('region', { name: 'Secret' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.getByText('webhook.test').click();
    await page.getByText('Answered 200').waitFor();
    expect(received[0]?.event).toBe('webhook.test');
    const { body } = await stage.service.client().get('/api/webhooks');
    expect(body.data).toMatchObject([{ events: ['messages', 'conversations'] }]);
    await stage.leave(/status of 400/);
  });

  it('rotate the secret of a webhook, whose requests are then signed with the old and the new one', async () => {
    const page = await stage.open('/developers/webhooks');
    await page.getByRole('link', { name: address }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page
      .getByRole('region', { name: 'Secret' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    received.length = 0;
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.signature.match(/v1=/g)).toHaveLength(2);
  });

  it('show a failed attempt of a webhook with its response', async () => {
    status = 500;
    const page = await stage.open('/developers/webhooks');
    await page.getByRole('link', { name: address }).click();
    const body = { title: 'For the receiver', participant_ids: [] };
    await stage.service.client().must(201, 'POST', '/openapi/conversations', body);
    await page.reload();
    await page.getByText('conversation.created').click();
    await page.getByText('Answered 500').first().waitFor();
    await page
      .getByRole('region', { name: /^Answer at/ })
      .getByText('<b>Out of <i>paper</i></b>')
      .waitFor();
    await page.getByText(/Next attempt/).waitFor();
    status = 200;
  });

  it('redeliver the failed events of a chosen period', async () => {
    status = 500;
    const page = await stage.open('/developers/webhooks');
    await page.getByRole('link', { name: address }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Given up', { exact: true }).waitFor();
    status = 200;
    received.length = 0;
    await page.getByRole('button', { name: 'Recover' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Failed since' }).click();
    await page.getByRole('option', { name: 'A chosen time' }).click();
    await dialog.getByRole('button', { name: 'Recover' }).click();
    await dialog.getByText('Choose a time of the last 30 days.').waitFor();
    await dialog.getByRole('combobox', { name: 'Failed since' }).click();
    await page.getByRole('option', { name: 'The last 7 days' }).click();
    await dialog.getByRole('button', { name: 'Recover' }).click();
    await page.getByText('1 delivery is on its way again').waitFor();
    await expect.poll(() => received.some(({ event }) => event === 'webhook.test')).toBe(true);
    await page.getByText('Given up', { exact: true }).waitFor({ state: 'detached' });
  });

  it('have a searchable catalogue of events with example payloads in both versions', async () => {
    const page = await stage.open('/developers/events');
    await page.getByRole('searchbox', { name: 'Search events' }).fill('MESSAGE.created');
    await page.getByText('message.created').click();
    const example = page.getByRole('region', { name: 'Example of message.created' });
    await example.getByText('"event": "message.created"').waitFor();
    expect(JSON.parse((await example.textContent()) ?? '')).toMatchObject({ data: { text: 'Hello' } });
    await page.getByRole('combobox', { name: 'API version' }).click();
    await page.getByRole('option', { name: 'Version 2.0' }).click();
    await example.getByText('"type": "message.created"').waitFor();
    expect(JSON.parse((await example.textContent()) ?? '')).toMatchObject({
      data: { content: { text: 'Hello' } },
    });
    await page.getByRole('searchbox', { name: 'Search events' }).fill('nothing at all');
    await page.getByText('No event matches').waitFor();
  });

  it('have a searchable API reference with fields, requests and responses in both versions', async () => {
    const page = await stage.open('/developers/reference');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('post messages reply_to_id');
    await page.getByRole('heading', { name: 'Templates' }).waitFor({ state: 'detached' });
    await page.getByText('POST /openapi/messages', { exact: true }).click();
    await page.getByText('Needs messages:write').waitFor();
    await page
      .getByRole('table', { name: /^Body of/ })
      .getByText('reply_to_id')
      .first()
      .waitFor();
    const curl = page.getByRole('region', { name: /^curl of/ });
    await curl.getByText('/v1/openapi/messages').waitFor();
    await page.getByRole('region', { name: /^Answer 201 of/ }).waitFor();
    await page.getByRole('combobox', { name: 'API version' }).click();
    await page.getByRole('option', { name: 'Version 2.0' }).click();
    await curl.getByText('/v2/openapi/messages').waitFor();
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('nothing at all');
    await page.getByText('No operation matches').waitFor();
    expect(asked.filter((url) => !url.startsWith(stage.service.url))).toEqual([]);
  });

  it('delete a webhook after a confirmation', async () => {
    const page = await stage.open('/developers/webhooks');
    await page.getByRole('link', { name: address }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
