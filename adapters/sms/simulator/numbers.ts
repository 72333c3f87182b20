import type { JsonObject } from '../../../src/contract/index.js';
import type { SimulatedCall, SimulatedRequest } from '../../../src/contract/simulation/index.js';
import type { MessageService } from './message-service.js';
import { read } from './read-call.js';
import { rfc2822 } from './resource.js';
import { refuse } from './rules.js';

const sid = `PN${'5'.repeat(32)}`;

/** https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource: the account has one number. */
export function numbersCall(
  { method, path, query, body }: SimulatedRequest,
  account: string,
  accountSid: string,
  messageService: MessageService,
): SimulatedCall | undefined {
  const list = `${account}/IncomingPhoneNumbers.json`;
  const number = () =>
    numberResource(accountSid, `${account}/IncomingPhoneNumbers/${sid}.json`, messageService);
  if (path === list && method === 'GET') {
    const asked = query.get('PhoneNumber') ?? messageService.number;
    const page = { uri: list, first_page_uri: list, next_page_uri: null, previous_page_uri: null, page: 0 };
    return read('numbers.list', query, () => {
      const found = asked === messageService.number ? [number()] : [];
      const size = { page_size: 50, start: 0, end: Math.max(found.length - 1, 0) };
      return { status: 200, body: { incoming_phone_numbers: found, ...page, ...size } };
    });
  }
  const [, asked] = /\/IncomingPhoneNumbers\/(\w+)\.json$/.exec(path) ?? [];
  if (asked === undefined || (method !== 'GET' && method !== 'POST')) return undefined;
  const form = new URLSearchParams(method === 'POST' ? body.toString('utf8') : '');
  return {
    call: method === 'POST' ? 'numbers.update' : 'numbers.fetch',
    request: Object.fromEntries(form),
    run: () => {
      if (asked !== sid) return refuse(20404);
      const url = form.get('SmsUrl');
      if (url !== null) messageService.webhookUrl = url === '' ? undefined : url;
      return { status: 200, body: number(), committed: method === 'POST' };
    },
  };
}

function numberResource(accountSid: string, uri: string, { number, webhookUrl }: MessageService): JsonObject {
  const created = rfc2822(Date.UTC(2026, 0, 1));
  return {
    sid,
    account_sid: accountSid,
    phone_number: number,
    friendly_name: number,
    sms_url: webhookUrl ?? '',
    sms_method: 'POST',
    capabilities: { voice: true, sms: true, mms: true, fax: false },
    status: 'in-use',
    api_version: '2010-04-01',
    date_created: created,
    date_updated: created,
    uri,
  };
}
