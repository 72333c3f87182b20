import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSms, envelopeOf, formFields } from '../../../../../adapters/sms/inbound/decode.js';
import type { Envelope, JsonValue } from '../../../../../src/contract/index.js';
import { delivered, incoming, incomingPicture, undelivered } from '../fixtures.js';

const at = '2026-01-01T00:00:00.000Z';
const own = '+14155550100';

function envelope(fields: Record<string, string>): Envelope {
  return sent(new URLSearchParams(fields)) as Envelope;
}
function sent(form: URLSearchParams): Envelope | undefined {
  return envelopeOf(formFields(form.toString()) ?? {}, at);
}
const decode = (fields: Record<string, string>) => decodeSms(envelope(fields), own);

describe('decoding a text message', () => {
  it("returns a message from the sender's number with the text unchanged", () => {
    expect(decode(incoming)).toEqual([
      {
        type: 'message',
        chat: { id: '+12025550143', kind: 'direct' },
        at,
        messageId: incoming.MessageSid,
        sender: { id: '+12025550143', handle: '+12025550143' },
        content: { text: incoming.Body, spans: [], attachments: [] },
      },
    ]);
  });

  it('lists pictures and contacts with a reference without host or secret', () => {
    expect(decode(incomingPicture)).toMatchObject([
      {
        content: {
          text: '',
          attachments: [
            {
              type: 'image',
              mimeType: 'image/jpeg',
              remoteRef: expect.stringMatching(
                /^\/2010-04-01\/Accounts\/AC\d+\/Messages\/MM2a9b\/Media\/ME1$/,
              ),
            },
            { type: 'contact', mimeType: 'text/x-vcard' },
          ],
        },
      },
    ]);
  });

  it('marks messages from our own number as an echo', () => {
    expect(decode({ ...incoming, From: own })).toMatchObject([{ type: 'message', echo: true }]);
  });

  it('reports the words that Twilio itself responded to', () => {
    const answered: Record<string, string>[] = [
      { Body: ' stop' },
      { Body: 'Help' },
      { Body: 'arret', OptOutType: 'STOP' },
    ];
    for (const fields of answered) {
      expect(decode({ ...incoming, ...fields })[0]).toMatchObject({ answered: true });
    }
    expect(decode({ ...incoming, Body: 'Stop it' })[0]).not.toHaveProperty('answered');
  });

  it.each([
    ['STOP', [{ type: 'consent', change: 'opted_out' }]],
    ['START', [{ type: 'consent', change: 'opted_in' }]],
    ['HELP', []],
  ])("reports Twilio's reaction to an opt-out word of the account: %s", (OptOutType, reported) => {
    const [message, ...others] = decode({ ...incoming, Body: 'arret', OptOutType });
    expect(message).toMatchObject({ type: 'message', content: { text: 'arret' }, answered: true });
    const user = { id: incoming.From, handle: incoming.From };
    expect(others).toMatchObject(reported.map((event) => ({ ...event, user, chat: { kind: 'direct' } })));
  });

  it('reports an empty message as unsupported', () => {
    expect(decode({ ...incoming, Body: '' })).toEqual([{ type: 'unsupported', what: 'empty message' }]);
  });
});

describe('decoding a status callback', () => {
  it.each(['sent', 'delivered', 'read'])('returns a receipt for %s', (MessageStatus) => {
    expect(decode({ ...delivered, MessageStatus })).toEqual([
      {
        type: 'receipt',
        chat: { id: '+12025550143', kind: 'direct' },
        at,
        messageId: delivered.MessageSid,
        status: MessageStatus,
      },
    ]);
  });

  it.each(['failed', 'undelivered', 'partially_delivered'])(
    'contains the reason of a message that is %s',
    (MessageStatus) => {
      expect(decode({ ...undelivered, MessageStatus })).toMatchObject([
        { status: 'failed', failure: { reason: 'recipient_gone', code: '30005' } },
      ]);
    },
  );

  it('keeps an unknown code and maps it to a platform error', () => {
    expect(decode({ ...undelivered, ErrorCode: '39999' })).toMatchObject([
      { status: 'failed', failure: { reason: 'platform_error', code: '39999' } },
    ]);
  });

  it.each(['queued', 'sending', 'accepted', 'scheduled', 'canceled', 'new_status'])(
    'ignores %s',
    (MessageStatus) => {
      expect(decode({ ...delivered, MessageStatus })).toEqual([
        { type: 'unsupported', what: `status ${MessageStatus}` },
      ]);
    },
  );
});

describe('envelopes of Twilio webhooks', () => {
  it('use the message id as dedupe key and the other number as lane', () => {
    expect(envelope(incoming)).toMatchObject({ dedupeKey: incoming.MessageSid, lane: incoming.From });
    expect(envelope(delivered)).toMatchObject({
      dedupeKey: `${delivered.MessageSid}:delivered`,
      lane: delivered.To,
    });
  });

  it('differ for every status and every error of one message, and for the message itself', () => {
    const all = [incoming, incomingPicture, delivered, undelivered, { ...undelivered, ErrorCode: '30006' }];
    const keys = all.map((fields) => envelope(fields).dedupeKey);
    expect(new Set(keys).size).toBe(all.length);
  });

  it('keep a repeated field as a list', () => {
    const form = new URLSearchParams([...Object.entries(incoming), ['Tag', 'a'], ['Tag', 'b']]);
    expect(sent(form)?.payload).toMatchObject({ Tag: ['a', 'b'] });
  });

  it('keep every value of a field that is repeated a thousand times', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => String(index));
    const text = values.map((value) => `Tag=${value}`).join('&');
    expect(formFields(text)).toEqual({ Tag: values });
  });

  it('are not created for forms with more fields than Twilio sends', () => {
    expect(formFields(Array.from({ length: 200_000 }, (_, index) => `a${index}=`).join('&'))).toBeUndefined();
    expect(formFields('a=1&'.repeat(200_000))).toBeUndefined();
    expect(formFields('&'.repeat(1_048_576))).toBeUndefined();
  });

  it('are not created for forms without message and status', () => {
    expect(sent(new URLSearchParams({ CallSid: 'CA1', From: '+1' }))).toBeUndefined();
  });

  it('decode to the same events without throwing, whatever they contain', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom(...Object.keys(undelivered), 'Body', 'NumMedia'), fc.string()),
        ),
        (payload) => {
          const stored = { dedupeKey: 'k', lane: 'l', payload: payload as JsonValue };
          expect(decodeSms(stored, own).length).toBeGreaterThan(0);
          expect(decodeSms(stored, own)).toEqual(decodeSms(stored, own));
        },
      ),
    );
  });
});
