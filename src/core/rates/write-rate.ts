import type { Adapter, AdapterDefinition, Destination, PartStep, WriteRate } from '../../contract/index.js';
import type { Settings } from '../platforms/configuration.js';
import type { AccountRate } from './rates.js';

const UNPACED: WriteRate = { buckets: [] };
/** Short bursts in a chat are what every platform with a limit of chats takes. */
const BURST = 2;

/**
 * The rate of the account that a connection is set to; null: it has no limit. A platform's burst is that of the rate it
 * documents: an account that may write ten times as fast may write ten times as many at once.
 */
export function accountRate({ rate }: AdapterDefinition, settings: Settings): AccountRate | null {
  const { rate_per_second: perSecond } = settings;
  if (perSecond <= 0) return null;
  const faster = perSecond / (rate.per_second ?? perSecond);
  return { perSecond, burst: Math.floor((rate.burst ?? 0) * faster) };
}

/** What a write of a connection counts against, as its adapter says or as its definition does. */
export function writeRate(
  { rate }: AdapterDefinition,
  settings: Settings,
  adapter: Pick<Adapter, 'rate'>,
): (step: PartStep, to: Destination) => WriteRate {
  // An account without a limit on a platform that has one: a measurement, or a server of the operator's own.
  const lifted = settings.rate_per_second === 0 && rate.per_second !== null;
  if (lifted) return () => UNPACED;
  const adapterRate = (step: PartStep, to: Destination) =>
    adapter.rate?.(step, to) ?? { buckets: chatBucket(rate.per_chat_per_second, step, to) };
  return settings.chat_pacing === 'none'
    ? (step, to) => ({ ...adapterRate(step, to), buckets: [] })
    : adapterRate;
}

function chatBucket(perSecond: number | null, { action }: PartStep, { chatId }: Destination) {
  if (perSecond === null || (action !== 'create' && action !== 'update')) return [];
  const count = Math.max(1, Math.floor(BURST * perSecond));
  return [{ key: `chat:${chatId}`, scope: 'chat' as const, count, perMs: (count / perSecond) * 1000 }];
}
