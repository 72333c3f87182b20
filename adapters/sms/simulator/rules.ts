import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';

/** Twilio's refusals: HTTP status, code and text. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

const refusals = {
  20003: { status: 401, message: 'Authenticate' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  21211: { status: 400, message: "The 'To' number is not a valid phone number." },
  21212: { status: 400, message: "The 'From' number is not a valid phone number." },
  21408: { status: 400, message: 'Permission to send an SMS has not been enabled for the region.' },
  21602: { status: 400, message: 'Message body is required.' },
  21603: { status: 400, message: "A 'From' phone number is required." },
  21604: { status: 400, message: "A 'To' phone number is required." },
  21606: { status: 400, message: "The 'From' phone number is not a valid, message-capable phone number." },
  21609: { status: 400, message: "The 'StatusCallback' URL is not a valid URL." },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21611: { status: 429, message: "This 'From' number has exceeded the maximum number of queued messages" },
  21612: { status: 400, message: "The 'To' phone number is not currently reachable." },
  21614: { status: 400, message: "'To' number is not a valid mobile number" },
  21620: { status: 400, message: 'Invalid media URL(s)' },
  21623: { status: 400, message: 'Number of media files exceeds allowed limit' },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit.' },
  21701: { status: 400, message: 'The Messaging Service does not exist.' },
} as const satisfies Record<number, Refusal>;

export type RefusalCode = keyof typeof refusals;

/** The error response of the API. */
export function refuse(code: RefusalCode): SimulatedAnswer {
  const { status, message } = refusals[code];
  return {
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}

/** An error with an undocumented code. */
export function refuseOddly(code: number): SimulatedAnswer {
  return { status: 400, body: { code, message: 'Simulated refusal', more_info: '', status: 400 } };
}

/** Numbers that always fail: https://www.twilio.com/docs/iam/test-credentials#test-sms-messages */
const magicFrom: Readonly<Record<string, RefusalCode>> = {
  '+15005550001': 21212,
  '+15005550007': 21606,
  '+15005550008': 21611,
};
const magicTo: Readonly<Record<string, RefusalCode>> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
};

/** The simulated account's one number and one messaging service. */
export interface Senders {
  readonly number: string;
  readonly messagingServiceSid: string;
}

/** Checks the form of a new message in Twilio's order. Undefined if it is acceptable. */
export function refusalOf(form: URLSearchParams, senders: Senders): RefusalCode | undefined {
  return recipientRefusal(form.get('To')) ?? senderRefusal(form, senders) ?? contentRefusal(form);
}

function recipientRefusal(to: string | null): RefusalCode | undefined {
  if (to === null || to === '') return 21604;
  return magicTo[to] ?? (/^\+[1-9]\d{6,14}$/.test(to) ? undefined : 21211);
}

function senderRefusal(form: URLSearchParams, senders: Senders): RefusalCode | undefined {
  const from = form.get('From');
  const service = form.get('MessagingServiceSid');
  if (service !== null && service !== senders.messagingServiceSid) return 21701;
  if (from === null) return service === null ? 21603 : undefined;
  return magicFrom[from] ?? (from === senders.number ? undefined : 21606);
}

function contentRefusal(form: URLSearchParams): RefusalCode | undefined {
  const body = form.get('Body') ?? '';
  const callback = form.get('StatusCallback');
  if (body === '' && !form.has('MediaUrl')) return 21602;
  if (body.length > 1600) return 21617;
  const media = form.getAll('MediaUrl');
  if (media.length > 10) return 21623;
  if (!media.every((url) => /^https?:\/\//.test(url) && URL.canParse(url))) return 21620;
  // Twilio refuses host names with an underscore, according to the reference of StatusCallback.
  if (callback !== null && (!URL.canParse(callback) || new URL(callback).hostname.includes('_')))
    return 21609;
  return undefined;
}

/** https://help.twilio.com/articles/223134027 */
const stopWords = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const startWords = new Set(['START', 'YES', 'UNSTOP']);

/** Twilio's own handling of opt-out words. */
export function consentChange(text: string): 'opted_out' | 'opted_in' | undefined {
  const word = text.trim().toUpperCase();
  if (stopWords.has(word)) return 'opted_out';
  return startWords.has(word) ? 'opted_in' : undefined;
}
