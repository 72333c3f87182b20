import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import { type Adapter, PlatformError, plainContent, remoteChatId } from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { freePort } from '../../support/free-port.js';
import { WebhookServer } from '../../support/webhook-server.js';

const accountSid = `AC${'0'.repeat(32)}`;
const authToken = 'twilio_test_auth_token';
const from = '+15551234567';
const to = { chatId: remoteChatId('+15550002222') };

let emulator: Emulator;
let webhooks: WebhookServer;
let host: RecordingHost;
let adapter: Adapter;
let webhookUrl: string;

beforeAll(async () => {
  webhooks = new WebhookServer();
  webhookUrl = await webhooks.start();
  emulator = await createEmulator({
    service: 'twilio',
    port: await freePort(),
    seed: {
      twilio: {
        account: { sid: accountSid, auth_token: authToken, friendly_name: 'Local account' },
        phone_numbers: [{ phone_number: from, sms_url: webhookUrl }],
      },
    },
  });
});
beforeEach(async () => {
  emulator.reset();
  host = new RecordingHost(webhookUrl);
  adapter = await create({ from });
  webhooks.adapter = adapter;
});
afterAll(async () => {
  await emulator.close();
  await webhooks.stop();
});

function create(sender: { from: string }): Promise<Adapter> {
  const settings = { ...sender, api_base_url: emulator.url, ingress: 'webhook' } as const;
  return smsDefinition.create(
    { credentials: { account_sid: accountSid, auth_token: authToken }, settings },
    host,
  );
}

function steps(text: string) {
  return adapter.plan({ type: 'send', to, content: plainContent(text) }, adapter.capabilities()).steps;
}

async function send(text: string) {
  const [step] = steps(text);
  if (step === undefined) throw new Error('The plan has no step.');
  return { step, receipt: await adapter.execute(step, { to, key: 'k', signal: AbortSignal.timeout(5_000) }) };
}

function simulate(what: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${emulator.url}/_twilio/simulate/${what}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    body: new URLSearchParams(fields),
  });
}

const events = () => host.envelopes.flatMap((envelope) => adapter.decode(envelope));

describe('the SMS adapter with an independent Twilio emulator', () => {
  it('reports the account', async () => {
    expect(await adapter.identify()).toMatchObject({ externalId: accountSid, name: 'Local account' });
  });

  it('sends a message and finds it again in the list', async () => {
    const startedAt = new Date().toISOString();
    const { step, receipt } = await send('Hello from the bridge');
    expect(receipt.remoteId).toMatch(/^SM/);
    expect(await adapter.lookup?.({ to, key: 'k', step, startedAt })).toEqual({
      outcome: 'found',
      remoteId: receipt.remoteId,
    });
    const [other] = steps('Never sent');
    if (other !== undefined) {
      expect(await adapter.lookup?.({ to, key: 'k', step: other, startedAt })).toEqual({ outcome: 'absent' });
    }
  });

  it('accepts its signed status callbacks', async () => {
    const { receipt } = await send('Hello');
    const sid = String(receipt.remoteId);
    await simulate('message-status', { MessageSid: sid, Status: 'delivered' });
    await host.until(() => events().some((event) => event.type === 'receipt'));
    expect(events()).toContainEqual(expect.objectContaining({ messageId: sid, status: 'delivered' }));
  });

  it('accepts its signed messages', async () => {
    await simulate('inbound-message', { To: from, From: to.chatId, Body: 'Hi & bye + ü' });
    await host.until(() => host.envelopes.length === 1);
    expect(events()).toMatchObject([{ type: 'message', content: { text: 'Hi & bye + ü' } }]);
  });

  it('recognises its refusals', async () => {
    adapter = await create({ from: '+15559999999' });
    const error = await send('Hello').catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: '21606', dispatched: 'no' });
  });
});
