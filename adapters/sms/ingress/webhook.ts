import twilio from 'twilio';
import type { AdapterHost } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
import { envelopeOf, formFields } from '../inbound/decode.js';

/** The parameter of the callback's address that names the write it is about. */
const WRITE = 'write';

/** Where Twilio reports on a message. The address names the write, so that a callback is known without the create's answer. */
export function callbackUrl(webhookUrl: string, reference: string | undefined): string {
  return reference === undefined ? webhookUrl : `${webhookUrl}?${WRITE}=${reference}`;
}

/**
 * Answers a webhook of Twilio: an incoming message or a status callback. The signature covers the address that Twilio
 * called, query included, and the form fields; it has no time, so replays are stopped by the dedupe key.
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export async function handleWebhook(
  request: Request,
  authToken: string,
  host: AdapterHost,
  { before, stored, failed }: { before(): Promise<void>; stored(key: string): void; failed(): void },
): Promise<Response> {
  const fields = formFields(await request.text());
  const { search, searchParams } = new URL(request.url);
  const called = host.webhookUrl + search;
  const signature = request.headers.get('x-twilio-signature') ?? '';
  if (fields === undefined || !twilio.validateRequest(authToken, signature, called, fields)) {
    return new Response('The signature is missing or wrong.', { status: 401 });
  }
  const envelope = envelopeOf(fields, clock.date().toISOString(), searchParams.get(WRITE) ?? undefined);
  if (envelope === undefined) {
    host.log.warn('webhook.ignored', { fields: Object.keys(fields) });
    return accepted();
  }
  try {
    // What a person wrote stays behind what was missed of them.
    if (!envelope.dedupeKey.includes(':')) await before();
    await host.receive(envelope);
    stored(envelope.dedupeKey);
  } catch (error) {
    failed();
    host.log.error('webhook.not_stored', { dedupeKey: envelope.dedupeKey, error });
    return new Response('The message could not be stored. Try again.', {
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
  return accepted();
}

/** Empty TwiML: Twilio sends no answer to the person. */
function accepted(): Response {
  return new Response('<?xml version="1.0" encoding="UTF-8"?><Response/>', {
    headers: { 'content-type': 'text/xml' },
  });
}
