import {
  CONTRACT_VERSION,
  type ConfigProblem,
  defineAdapter,
  phoneNumber,
} from '../../src/contract/index.js';
import { smsCapabilities } from './capabilities.js';
import { credentials, type SmsConfig, type SmsCredentials, type SmsSettings, settings } from './config.js';
import { segmentation } from './segments.js';

function validate({ settings: { from, messaging_service_sid } }: SmsConfig): readonly ConfigProblem[] {
  if ((from === undefined) !== (messaging_service_sid === undefined)) return [];
  return from === undefined
    ? [
        {
          field: 'settings.from',
          code: 'required',
          message: 'Give the sender: either from or messaging_service_sid.',
        },
      ]
    : [
        {
          field: 'settings.messaging_service_sid',
          code: 'exclusive',
          message: 'Give either from or messaging_service_sid, not both.',
        },
      ];
}

/** Text messages through Twilio Programmable Messaging. */
export const smsDefinition = defineAdapter<SmsCredentials, SmsSettings>({
  contractVersion: CONTRACT_VERSION,
  platform: 'sms',
  displayName: 'SMS (Twilio)',
  version: '1.0.0',
  ingress: ['webhook'],
  defaultApiBaseUrl: 'https://api.twilio.com',
  credentials,
  settings,
  lookup: true,
  capabilities: smsCapabilities,
  // A long code in the US and Canada sends one segment per second. Twilio queues at most ten hours of segments.
  // https://www.twilio.com/docs/messaging/guides/understanding-twilio-rate-limits
  addressForm: '^[+][1-9][0-9]{6,14}$',
  addresses: {
    description: 'an E.164 number such as +4915112345678',
    normalize: phoneNumber,
    arePhoneNumbers: true,
    areChatIds: true,
  },
  billing: { unit: 'segments', count: (text) => segmentation(text).segments },
  rate: { per_second: 1, per_chat_per_second: null },
  validate,
  create: async (config, host) => {
    const { SmsAdapter } = await import('./adapter.js');
    return new SmsAdapter(config, host);
  },
});
