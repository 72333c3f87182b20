import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { PlatformError } from '../../../src/contract/index.js';
import { askAdmin, down, type Meaning, meanings, misconfigured, network, rejected } from './error-codes.js';

const byCode = new Map(meanings.flatMap((meaning) => meaning.codes.map((code) => [code, meaning] as const)));

/**
 * Error codes of Node's net, dns and tls modules and of undici that occur before the request is sent. Nothing can have
 * been written.
 */
const neverSent = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID'.split(
    ' ',
  ),
);

export interface FailedCall {
  /** Whether the call only reads. A lost response of a read is harmless. */
  readonly writes: boolean;
  /** The scope of a 429: the chat that is written to, or all chats for which the bridge would call this method. */
  readonly rateScope: 'chat' | 'method';
}

/** Maps any failure of the Web client to a PlatformError. */
export function toPlatformError(error: unknown, call: FailedCall): PlatformError {
  const mapped = translate(error, call);
  if (call.writes || mapped.dispatched === 'no') return mapped;
  return new PlatformError(mapped.problem, { ...mapped, message: mapped.message, dispatched: 'no' });
}

function translate(error: unknown, call: FailedCall): PlatformError {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1000, call);
  if (error instanceof WebAPIPlatformError) return fromCode(String(error.data.error ?? ''), call);
  if (error instanceof WebAPIHTTPError) return fromStatus(error.statusCode);
  return fromNetwork(error instanceof WebAPIRequestError ? error.original : error);
}

function rateLimited(retryAfterMs: number, { rateScope }: FailedCall): PlatformError {
  return new PlatformError(
    { kind: 'rate_limited', retryAfterMs, scope: rateScope },
    { dispatched: 'no', code: 'ratelimited', message: 'Slack asks to wait.' },
  );
}

function fromCode(code: string, call: FailedCall): PlatformError {
  // The SDK uses a body that is not JSON as the error code. It comes from a proxy, not from Slack.
  if (!/^[\w.-]{1,80}$/.test(code))
    return new PlatformError(down, {
      dispatched: 'unknown',
      message: 'Slack gave an answer that is not readable.',
    });
  const meaning = byCode.get(code) ?? unlisted(code);
  if (meaning.problem.kind === 'rate_limited') return rateLimited(meaning.problem.retryAfterMs, call);
  return new PlatformError(meaning.problem, { dispatched: 'no', ...meaning, code });
}

function unlisted(code: string): Omit<Meaning, 'codes'> {
  if (code.startsWith('restricted_action'))
    return {
      problem: rejected('forbidden'),
      message: 'A preference of the workspace or channel forbids this.',
      fix: askAdmin,
    };
  return { problem: rejected('platform_error'), message: `Slack refused the call (${code}).` };
}

function fromStatus(status: number): PlatformError {
  const code = `http_${status}`;
  if (status >= 500)
    return new PlatformError(down, {
      dispatched: 'unknown',
      code,
      message: `Slack answered with status ${status}.`,
    });
  if (status === 408)
    return new PlatformError(network, {
      dispatched: 'unknown',
      code,
      message: 'Slack waited too long for the call.',
    });
  // A proxy error concerns this call only. Any other body means that the address is not Slack's.
  if (status === 413)
    return new PlatformError(rejected('too_large'), {
      dispatched: 'no',
      code,
      message: 'The request is larger than the way to Slack allows.',
    });
  return new PlatformError(misconfigured, {
    dispatched: 'no',
    code,
    message: `The address of the Slack API answered with status ${status}.`,
    fix: 'Check api_base_url; Slack itself is at https://slack.com/api.',
  });
}

function fromNetwork(error: unknown): PlatformError {
  const causes = causesOf(error);
  // The guarded fetch may refuse a target with a PlatformError.
  const own = causes.find((cause) => cause instanceof PlatformError);
  if (own !== undefined) return own;
  const code = causes.map(codeOf).find((value) => value !== undefined);
  return new PlatformError(network, {
    dispatched: code !== undefined && neverSent.has(code) ? 'no' : 'unknown',
    message: 'The connection to Slack failed.',
    cause: error,
    ...(code === undefined ? {} : { code }),
  });
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
