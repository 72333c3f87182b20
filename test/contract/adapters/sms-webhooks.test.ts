import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { twilioSignature } from '../../../adapters/sms/simulator/webhook-sender.js';
import { SmsBench } from '../../support/sms-bench.js';

let bench: SmsBench;

beforeEach(async () => {
  bench = await SmsBench.start();
  // Messages wait for the first check for missed ones.
  await bench.adapter.start();
});
afterEach(() => bench.stop());

describe('an SMS webhook', () => {
  it('stores a message from a person', async () => {
    const id = await bench.simulator.post({ chatId: bench.person, sender: 'Ada', text: 'Hi 👋 & <b>' });
    await bench.host.until(() => bench.host.envelopes.length === 1);
    expect(bench.events()).toMatchObject([
      { type: 'message', messageId: id, chat: { id: bench.person }, content: { text: 'Hi 👋 & <b>' } },
    ]);
  });

  it('is retried by the platform when it could not be stored, and stored once', async () => {
    bench.host.failNext(1);
    await bench.simulator.post({ chatId: bench.person, sender: 'Ada', text: 'Hi' });
    await bench.host.until(() => bench.host.envelopes.length === 1);
    expect(bench.host.received).toBe(2);
  });

  const fields = { MessageSid: `SM${'1'.repeat(32)}`, From: '+12025550143', To: '+15005550006', Body: 'Hi' };

  function webhook(
    body: Record<string, string>,
    signature: string | undefined,
    query = '',
  ): Promise<Response> {
    const request = new Request(`http://internal:8080/hooks/test/1${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(signature === undefined ? {} : { 'x-twilio-signature': signature }),
      },
      body: new URLSearchParams(body).toString(),
    });
    return bench.adapter.handle?.(request) as Promise<Response>;
  }

  function signed(query = '', body: Record<string, string> = fields, token?: string): string {
    const authToken = token ?? bench.simulator.account().credentials.auth_token ?? '';
    return twilioSignature(authToken, bench.host.webhookUrl + query, body);
  }

  it('is answered with empty TwiML for a signed message', async () => {
    const response = await webhook(fields, signed());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml']);
    expect(await response.text()).toContain('<Response/>');
    expect(bench.host.envelopes).toHaveLength(1);
  });

  it('is verified with a signature that covers the query as well', async () => {
    expect((await webhook(fields, signed('?a=1&b=%20x'), '?a=1&b=%20x')).status).toBe(200);
    expect((await webhook(fields, signed(), '?a=1')).status).toBe(401);
  });

  it.each([
    ['no signature', () => webhook(fields, undefined)],
    ['another token', () => webhook(fields, signed('', fields, 'other'))],
    ['an altered byte', () => webhook({ ...fields, Body: 'Ho' }, signed())],
    ['a field too many', () => webhook({ ...fields, Extra: '1' }, signed())],
    ['a field too few', () => webhook({ MessageSid: fields.MessageSid, From: fields.From }, signed())],
    ['nonsense', () => webhook(fields, 'bm9uc2Vuc2U=')],
  ])('is refused with %s, and nothing is stored', async (_, call) => {
    expect((await call()).status).toBe(401);
    expect(bench.host.received).toBe(0);
  });

  it('is acknowledged without being stored when it is signed and irrelevant', async () => {
    const body = { CallSid: 'CA1' };
    expect((await webhook(body, signed('', body))).status).toBe(200);
    expect(bench.host.received).toBe(0);
  });

  it('is stored once when it arrives three times concurrently', async () => {
    const signature = signed();
    const answers = await Promise.all([1, 2, 3].map(() => webhook(fields, signature)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(bench.host.envelopes).toHaveLength(1);
  });

  it('is answered with 503 when it can’t be stored', async () => {
    bench.host.failure = new Error('no database');
    expect((await webhook(fields, signed())).status).toBe(503);
  });
});
