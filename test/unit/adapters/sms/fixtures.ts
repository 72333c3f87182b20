/** Form fields of Twilio's webhooks, as in its guides. */

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
export const incoming = {
  ToCountry: 'US',
  ToState: 'CA',
  SmsMessageSid: 'SM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c2',
  NumMedia: '0',
  ToCity: 'SAN FRANCISCO',
  FromZip: '20001',
  SmsSid: 'SM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c2',
  FromState: 'DC',
  SmsStatus: 'received',
  FromCity: 'WASHINGTON',
  Body: 'Hello *there* – see https://example.com',
  FromCountry: 'US',
  To: '+14155550100',
  ToZip: '94105',
  NumSegments: '1',
  MessageSid: 'SM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c2',
  AccountSid: 'AC00000000000000000000000000000001',
  From: '+12025550143',
  ApiVersion: '2010-04-01',
};

export const incomingPicture = {
  ...incoming,
  Body: '',
  NumMedia: '2',
  MessageSid: 'MM2a9bd01e0d1b4b6d9d1c3b8ab9e3a1c3',
  MediaContentType0: 'image/jpeg',
  MediaUrl0:
    'https://api.twilio.com/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages/MM2a9b/Media/ME1',
  MediaContentType1: 'text/x-vcard',
  MediaUrl1:
    'https://api.twilio.com/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages/MM2a9b/Media/ME2',
};

/** https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
export const delivered = {
  SmsSid: 'SM1342fe1b2c904d1ab04f0fc7a58abca9',
  SmsStatus: 'delivered',
  MessageStatus: 'delivered',
  To: '+12025550143',
  MessageSid: 'SM1342fe1b2c904d1ab04f0fc7a58abca9',
  AccountSid: 'AC00000000000000000000000000000001',
  From: '+14155550100',
  ApiVersion: '2010-04-01',
  RawDlrDoneDate: '2601011200',
};

export const undelivered = {
  ...delivered,
  SmsStatus: 'undelivered',
  MessageStatus: 'undelivered',
  ErrorCode: '30005',
};
