import {
  type Dispatched,
  PlatformError,
  type PlatformProblem,
  type RejectionReason,
} from '../../../src/contract/index.js';

interface ErrorEntry {
  readonly problem: PlatformProblem;
  readonly message: string;
  readonly fix?: string;
}

const unauthorized: PlatformProblem = { kind: 'unauthorized' };
const misconfigured: PlatformProblem = { kind: 'misconfigured' };
const rejected = (reason: RejectionReason): PlatformProblem => ({ kind: 'rejected', reason });
const wait = (retryAfterMs: number): PlatformProblem => ({
  kind: 'rate_limited',
  retryAfterMs,
  scope: 'account',
});

const checkCredentials = 'Copy Account SID and Auth Token again from the Twilio Console.';
const checkNumber = 'Check that the address is a mobile number in E.164 format, such as +14155550100.';
const checkSender = 'Set from, or messaging_service_sid, to a sender that belongs to this Twilio account.';

/**
 * Twilio's error codes, in API responses and in the ErrorCode of status callbacks.
 * https://www.twilio.com/docs/api/errors
 */
const entries: Readonly<Record<number, ErrorEntry>> = {
  20003: { problem: unauthorized, message: 'Twilio refused the credentials.', fix: checkCredentials },
  20005: {
    problem: unauthorized,
    message: 'The Twilio account is not active.',
    fix: 'Reactivate the account.',
  },
  20008: {
    problem: misconfigured,
    message: 'Test credentials cannot do this.',
    fix: 'Use the live Account SID and Auth Token.',
  },
  20404: {
    problem: misconfigured,
    message: 'Twilio does not know this account or sender.',
    fix: checkSender,
  },
  20429: { problem: wait(1_000), message: 'Twilio asks to send fewer requests at once.' },
  14107: { problem: wait(1_000), message: 'Twilio asks to send more slowly.' },
  21201: { problem: rejected('recipient_gone'), message: 'There is no number to send to.', fix: checkNumber },
  21211: { problem: rejected('recipient_gone'), message: 'The number is not valid.', fix: checkNumber },
  21212: { problem: misconfigured, message: 'The sender is not valid.', fix: checkSender },
  21214: { problem: rejected('recipient_gone'), message: 'The number cannot be reached.', fix: checkNumber },
  21408: {
    problem: rejected('forbidden'),
    message: 'The account may not send to this country.',
    fix: 'Allow the country under Messaging Geographic Permissions in the Twilio Console.',
  },
  21602: { problem: rejected('content_rejected'), message: 'The message has no text.' },
  21603: { problem: misconfigured, message: 'The sender is missing.', fix: checkSender },
  21604: { problem: rejected('recipient_gone'), message: 'There is no number to send to.', fix: checkNumber },
  21606: {
    problem: rejected('forbidden'),
    message: 'The sender cannot send text messages to this number.',
    fix: checkSender,
  },
  21608: {
    problem: rejected('forbidden'),
    message: 'A trial account may only send to verified numbers.',
    fix: 'Verify the number in the Twilio Console or upgrade the account.',
  },
  21609: {
    problem: misconfigured,
    message: 'Twilio cannot use the public address for status callbacks.',
    fix: 'Set PUBLIC_URL to an address that can be reached from the internet and has no underscore in its host name.',
  },
  21610: {
    problem: rejected('opted_out'),
    message: 'The person has unsubscribed from this sender.',
    fix: 'They can write START to receive messages again.',
  },
  21611: {
    problem: wait(60_000),
    message: 'The queue of this sender is full.',
    fix: 'Send more slowly, or use a faster sender.',
  },
  21612: {
    problem: rejected('recipient_gone'),
    message: 'The sender has no route to this number.',
    fix: checkSender,
  },
  21614: {
    problem: rejected('recipient_gone'),
    message: 'The number is not a mobile number.',
    fix: checkNumber,
  },
  21617: { problem: rejected('too_long'), message: 'The text is longer than Twilio allows.' },
  21619: { problem: rejected('content_rejected'), message: 'The message has no text.' },
  21620: { problem: rejected('media_unavailable'), message: 'Twilio cannot use the address of the file.' },
  21623: { problem: rejected('content_rejected'), message: 'Twilio takes at most ten files with a message.' },
  21635: { problem: rejected('recipient_gone'), message: 'The number is a landline.', fix: checkNumber },
  21659: { problem: misconfigured, message: 'The sender is not a Twilio number.', fix: checkSender },
  21660: { problem: misconfigured, message: 'The sender belongs to another account.', fix: checkSender },
  21701: { problem: misconfigured, message: 'The messaging service does not exist.', fix: checkSender },
  21703: { problem: misconfigured, message: 'The messaging service has no sender.', fix: checkSender },
  21704: { problem: misconfigured, message: 'The messaging service has no sender.', fix: checkSender },
  21705: { problem: misconfigured, message: 'The messaging service is not valid.', fix: checkSender },
  21712: { problem: misconfigured, message: 'The messaging service has no sender.', fix: checkSender },
  21910: {
    problem: rejected('forbidden'),
    message: 'The sender and the number belong to different channels, such as SMS and WhatsApp.',
    fix: 'Write to the number without a prefix such as "whatsapp:", or use a sender of the same channel.',
  },
  30001: { problem: wait(60_000), message: 'The queue of this sender is full.', fix: 'Send more slowly.' },
  30002: {
    problem: unauthorized,
    message: 'Twilio has suspended the account.',
    fix: 'Read the notice in the Twilio Console.',
  },
  30003: { problem: rejected('recipient_gone'), message: 'The phone cannot be reached.' },
  30004: {
    problem: rejected('blocked_by_recipient'),
    message: 'The person or their carrier blocks this sender.',
  },
  30005: { problem: rejected('recipient_gone'), message: 'The number is not in service.', fix: checkNumber },
  30006: { problem: rejected('recipient_gone'), message: 'The number is a landline or has no carrier.' },
  30007: {
    problem: rejected('content_rejected'),
    message: 'The carrier filtered the message as unwanted.',
    fix: 'Change the text, and register the sender with the carriers.',
  },
  30008: { problem: rejected('platform_error'), message: 'The carrier gave no reason.' },
  30022: {
    problem: rejected('platform_error'),
    message: 'The daily or per-second limit of the campaign is used up.',
  },
  30023: {
    problem: rejected('platform_error'),
    message: 'The daily limit of the brand at the carrier is used up.',
  },
  30024: {
    problem: rejected('forbidden'),
    message: 'The sender is not provisioned at the carrier.',
    fix: 'Register the sender with the carriers.',
  },
  30032: {
    problem: rejected('forbidden'),
    message: 'The toll-free number is not verified.',
    fix: 'Verify the toll-free number in the Twilio Console.',
  },
  30034: {
    problem: rejected('forbidden'),
    message: 'The sender is not registered for A2P 10DLC.',
    fix: 'Register brand and campaign in the Twilio Console.',
  },
  30410: { problem: rejected('platform_error'), message: 'The carrier did not answer in time.' },
};

/** An error response of the API. */
export interface RefusedAnswer {
  readonly status: number;
  readonly code?: number;
  /** From the Retry-After header, if it is present. */
  readonly retryAfterMs?: number;
}

/** Maps an error response to a PlatformError. A status below 500 means that nothing was written. */
export function answerError({ status, code, retryAfterMs }: RefusedAnswer): PlatformError {
  const entry = (code === undefined ? undefined : entries[code]) ?? byStatus(status);
  const problem =
    entry.problem.kind === 'rate_limited' && retryAfterMs !== undefined ? wait(retryAfterMs) : entry.problem;
  return new PlatformError(problem, {
    dispatched: problem.kind === 'unavailable' ? 'unknown' : 'no',
    message: entry.message,
    ...(entry.fix === undefined ? {} : { fix: entry.fix }),
    code: code === undefined ? `http_${status}` : String(code),
  });
}

function byStatus(status: number): ErrorEntry {
  // A proxy timeout does not say whether the server behind it executed the request.
  if (status >= 500 || status === 408) {
    return {
      problem: { kind: 'unavailable', cause: 'platform_down' },
      message: `Twilio answered with status ${status}.`,
    };
  }
  if (status === 429) return entries[20429] as ErrorEntry;
  if (status === 401) return entries[20003] as ErrorEntry;
  if (status === 404 || status < 400) {
    return {
      problem: misconfigured,
      message: `The server at api_base_url answered with status ${status}.`,
      fix: 'Check account_sid and api_base_url.',
    };
  }
  return {
    problem: rejected('platform_error'),
    message: `Twilio refused the request with status ${status}.`,
  };
}

/** Errors before a connection was established. The request cannot have been sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Maps the failure of a request without a response. */
export function transportError(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const code = causeCode(cause);
  const dispatched: Dispatched = code !== undefined && neverSent.has(code) ? 'no' : 'unknown';
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    {
      dispatched,
      message:
        dispatched === 'no'
          ? 'Twilio could not be reached.'
          : 'The connection to Twilio was lost before the response arrived.',
      ...(code === undefined ? {} : { code }),
      cause,
    },
  );
}

/** fetch wraps the socket error once, and once more if every address of a host failed. */
function causeCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? (current.errors[0] as unknown) : current.cause;
  }
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    ? error.name
    : undefined;
}

/** The error of a successful response that cannot be parsed. The message may exist. */
export function unreadableAnswer(cause?: unknown): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      dispatched: 'unknown',
      message: 'The response of the server at api_base_url is not from Twilio.',
      fix: 'Check api_base_url.',
      cause,
    },
  );
}

/** The error of a request that the bridge did not start because it stopped. */
export function notStarted(): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched: 'no', message: 'The bridge is stopping; nothing was sent.' },
  );
}

/** The error of an operation that text messages do not support. */
export function unsupported(what: string): PlatformError {
  return new PlatformError(rejected('unsupported'), {
    dispatched: 'no',
    message: `Text messages can't do this: ${what}.`,
  });
}

/** The failure that a status callback reports. */
export function deliveryFailure(code: number | undefined): {
  readonly reason: RejectionReason;
  readonly code?: string;
  readonly message: string;
} {
  const entry = code === undefined ? undefined : entries[code];
  return {
    reason: entry?.problem.kind === 'rejected' ? entry.problem.reason : 'platform_error',
    ...(code === undefined ? {} : { code: String(code) }),
    message: entry?.message ?? 'Twilio could not deliver the message.',
  };
}
