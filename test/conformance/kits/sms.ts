import { smsDefinition } from '../../../adapters/sms/definition.js';
import { envelopeOf } from '../../../adapters/sms/inbound/decode.js';
import { TwilioSimulator } from '../../../adapters/sms/simulator/index.js';
import type { Envelope, PartStep } from '../../../src/contract/index.js';
import { defineKit } from '../../../src/testing/index.js';
import { builtModule } from './built-module.js';

const AT = '2026-03-01T10:00:05.000Z';
/** https://www.twilio.com/docs/messaging/guides/webhook-request */
const incoming = {
  MessageSid: 'SM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c2',
  AccountSid: 'AC00000000000000000000000000000001',
  From: '+12025550143',
  To: '+14155550100',
  Body: 'Hello',
  NumMedia: '0',
  ApiVersion: '2010-04-01',
};
const picture = {
  ...incoming,
  MessageSid: 'MM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c3',
  Body: '',
  NumMedia: '1',
  MediaContentType0: 'image/jpeg',
  MediaUrl0:
    'https://api.twilio.com/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages/MM2a9b/Media/ME1',
};
/** https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
const update = {
  MessageSid: 'SM1342fe1b2c904d1ab04f0fc7a58abca9',
  MessageStatus: 'sent',
  AccountSid: 'AC00000000000000000000000000000001',
  From: '+14155550100',
  To: '+12025550143',
  ApiVersion: '2010-04-01',
};
const forms: readonly Record<string, string>[] = [
  incoming,
  picture,
  { ...incoming, MessageSid: 'SM3', Body: 'STOP', OptOutType: 'STOP' },
  update,
  { ...update, MessageStatus: 'delivered' },
  { ...update, MessageStatus: 'undelivered', ErrorCode: '30005' },
];
const corpus = forms.map((form) => envelopeOf(form, AT) as Envelope);

function read({ payload }: PartStep) {
  const text = String(payload.body ?? '');
  return { counted: text, content: { text, spans: [] } };
}

export const smsKits = [
  defineKit({
    definition: smsDefinition,
    module: builtModule('adapters/sms/definition.js', 'smsDefinition'),
    simulator: () => new TwilioSimulator({ limits: 'none' }),
    read,
    corpus,
    pinned: [
      { envelope: corpus[3] as Envelope, chatId: '+12025550143', reads: { status: 'sent' } },
      { envelope: corpus[4] as Envelope, chatId: '+12025550143', reads: { status: 'delivered' } },
      {
        envelope: corpus[5] as Envelope,
        chatId: '+12025550143',
        reads: { status: 'failed', failure: { reason: 'recipient_gone' } },
      },
      {
        envelope: corpus[0] as Envelope,
        chatId: '+12025550143',
        messageId: 'SM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c2',
        userId: '+12025550143',
      },
      {
        envelope: corpus[1] as Envelope,
        chatId: '+12025550143',
        reads: { content: { attachments: [{ type: 'image' }] } },
      },
    ],
    signature: { header: 'x-twilio-signature', coversBody: true },
    groupMentions: [],
  }),
];
