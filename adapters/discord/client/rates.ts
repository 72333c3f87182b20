import type {
  Destination,
  PartStep,
  RateBucket,
  RateReading,
  WriteRate,
} from '../../../src/contract/index.js';

/**
 * Discord states its limits in headers (https://docs.discord.com/developers/topics/rate-limits) and asks clients not to
 * hard-code them. These observed values apply until the first response arrives.
 */
const WINDOW = { count: 5, perMs: 5_000 };
/** Webhook posts have a limit of their own. */
const WEBHOOK_WINDOW = { count: 5, perMs: 2_000 };

/** Each route of a channel has its own limit. */
const keyOf = (action: PartStep['action'], { chatId, threadId }: Destination) =>
  `${action}:${threadId ?? chatId}`;

/** The limits of a write besides the bot's 50 requests per second. */
export function rateOf({ action, payload }: PartStep, to: Destination): WriteRate {
  if (action === 'signal') return { buckets: [] };
  if (action === 'create' && payload.persona !== undefined) {
    const key = `webhook:${to.threadId ?? to.chatId}`;
    return { buckets: [{ key, scope: 'chat', ...WEBHOOK_WINDOW }] };
  }
  const bucket: RateBucket = { key: keyOf(action, to), scope: 'chat', ...WINDOW };
  return { buckets: [bucket] };
}

/** Reads the rate limit headers of a response. */
export function readingOf(
  headers: Headers,
  action: PartStep['action'],
  to: Destination,
): readonly RateReading[] {
  const remaining = numberOf(headers.get('x-ratelimit-remaining'));
  const seconds = numberOf(headers.get('x-ratelimit-reset-after'));
  if (remaining === undefined || seconds === undefined) return [];
  return [{ key: keyOf(action, to), remaining, resetAfterMs: Math.ceil(seconds * 1000) }];
}

function numberOf(header: string | null): number | undefined {
  const number = Number(header ?? Number.NaN);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
