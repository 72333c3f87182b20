import twilio from 'twilio';
import type { AdapterHost } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
import { envelopeOf, formFields } from '../inbound/decode.js';

/** Query parameter of the callback address that names the write. */
const WRITE = 'write';

/**
 * The address of status callbacks. It names the write, so a callback is recognised without the response of the create.
 */
export function callbackUrl(webhookUrl: string, reference: string | undefined): string {
  return reference === undefined ? webhookUrl : `${webhookUrl}?${WRITE}=${reference}`;
}

/**
 * Handles a Twilio webhook: an incoming message or a status callback. The signature covers the requested address with
 * its query and the form fields. It has no time, so the dedupe key stops replays.
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
    // A person's message waits for earlier missed ones.
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

/** Empty TwiML: Twilio sends no reply to the person. */
function accepted(): Response {
  return new Response('<?xml version="1.0" encoding="UTF-8"?><Response/>', {
    headers: { 'content-type': 'text/xml' },
  });
}
