import type { JsonValue } from '../../../src/contract/index.js';

/** Forms of webhooks (https://www.twilio.com/docs/messaging/guides/webhook-request). */
export const smsForms: readonly JsonValue[] = [
  {
    MessageSid: 'SM1',
    AccountSid: 'AC1',
    From: '+15550001111',
    To: '+15005550006',
    Body: 'Hi',
    NumMedia: '2',
    MediaUrl0: 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1',
    MediaContentType0: 'image/jpeg',
    MediaUrl1: 'https://api.twilio.com/x',
    MediaContentType1: 'text/x-vcard',
    ProfileName: 'Ada',
    OptOutType: 'STOP',
  },
  {
    MessageSid: 'SM1',
    MessageStatus: 'undelivered',
    To: '+15550001111',
    From: '+15005550006',
    ErrorCode: '30003',
  },
];
