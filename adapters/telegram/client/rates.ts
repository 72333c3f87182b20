import type { Destination, PartStep, RateBucket, WriteRate } from '../../../src/contract/index.js';

/**
 * One message per second in a chat, with short bursts
 * (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
 */
const CHAT = { count: 2, perMs: 2_000 };
/** 20 messages per minute in a group. The extra second covers requests that take long to arrive. */
const GROUP = { count: 20, perMs: 61_000 };

/** The limits that a write counts against. An edit counts as a message, and so does each file of an album. */
export function rateOf({ action, others }: PartStep, { chatId }: Destination): WriteRate {
  if (action === 'signal' || action === 'remove') return { buckets: [] };
  const limit = chatId.startsWith('-') ? GROUP : CHAT;
  const bucket: RateBucket = { key: `chat:${chatId}`, scope: 'chat', ...limit };
  return { cost: 1 + (others?.length ?? 0), buckets: [bucket] };
}
