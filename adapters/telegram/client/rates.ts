import type { Destination, PartStep, RateBucket, WriteRate } from '../../../src/contract/index.js';

/** https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this: in a chat one a second, with short bursts. */
const CHAT = { count: 2, perMs: 2_000 };
/** In a group 20 a minute; the second more is for what takes long on its way. */
const GROUP = { count: 20, perMs: 61_000 };

/** What a write counts against. Edits count like messages; each file of an album is a message. */
export function rateOf({ action, others }: PartStep, { chatId }: Destination): WriteRate {
  if (action === 'signal' || action === 'remove') return { buckets: [] };
  const limit = chatId.startsWith('-') ? GROUP : CHAT;
  const bucket: RateBucket = { key: `chat:${chatId}`, scope: 'chat', ...limit };
  return { cost: 1 + (others?.length ?? 0), buckets: [bucket] };
}
