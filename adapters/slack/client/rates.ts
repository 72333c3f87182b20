import type { Destination, PartStep, RateBucket, WriteRate } from '../../../src/contract/index.js';

/** One message per second and channel, with short bursts (docs.slack.dev/apis/web-api/rate-limits#posting_messages). */
const POSTING = { count: 3, perMs: 3_000 };
/** Tier 3 methods: fifty calls per minute and workspace (docs.slack.dev/apis/web-api/rate-limits#overview). */
const TIER_3 = { count: 50, perMs: 60_000 };

/** The limit that a write counts against: the channel for posts, the method for everything else. */
export function rateOf(step: PartStep, { chatId }: Destination): WriteRate {
  const bucket: RateBucket =
    step.action === 'create'
      ? { key: `chat.postMessage:${chatId}`, scope: 'chat', ...POSTING }
      : { key: methodOf(step), scope: 'method', ...TIER_3 };
  return { buckets: [bucket] };
}

function methodOf({ action, payload }: PartStep): string {
  if (action === 'update') return 'chat.update';
  if (action === 'remove') return 'chat.delete';
  return payload.change === 'removed' ? 'reactions.remove' : 'reactions.add';
}
