import type {
  Destination,
  PartStep,
  RateBucket,
  RateReading,
  WriteRate,
} from '../../../src/contract/index.js';

/**
 * Discord tells its limits in headers (https://docs.discord.com/developers/topics/rate-limits) and asks not to write
 * them down; until it has told them, what is found in channels holds.
 */
const WINDOW = { count: 5, perMs: 5_000 };
/** What a webhook writes, in a person's name, has a limit of its own. */
const WEBHOOK_WINDOW = { count: 5, perMs: 2_000 };

/** A channel counts its routes apart. */
const keyOf = (action: PartStep['action'], { chatId, threadId }: Destination) =>
  `${action}:${threadId ?? chatId}`;

/** What a write counts against beside the 50 requests a second of the bot. */
export function rateOf({ action, payload }: PartStep, to: Destination): WriteRate {
  if (action === 'signal') return { buckets: [] };
  if (action === 'create' && payload.persona !== undefined) {
    const key = `webhook:${to.threadId ?? to.chatId}`;
    return { buckets: [{ key, scope: 'chat', ...WEBHOOK_WINDOW }] };
  }
  const bucket: RateBucket = { key: keyOf(action, to), scope: 'chat', ...WINDOW };
  return { buckets: [bucket] };
}

/** What the headers of an answer say of the bucket that the request counted against. */
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
