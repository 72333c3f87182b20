import {
  type Adapter,
  type AdapterDefinition,
  type Destination,
  type PartStep,
  PlatformError,
  type WriteRate,
} from '../../contract/index.js';
import { AdapterDefect } from '../adapters/hook-runner.js';
import type { Settings } from '../platforms/configuration.js';
import type { AccountRate } from './rates.js';

const UNPACED: WriteRate = { buckets: [] };
/** Every platform with a limit per chat accepts short bursts. */
const BURST = 2;

/**
 * The configured rate of a connection's account. Null: no limit. The burst is proportional to the documented burst of the
 * platform: an account with ten times the documented rate has ten times the burst.
 */
export function accountRate({ rate }: AdapterDefinition, settings: Settings): AccountRate | null {
  const { rate_per_second: perSecond } = settings;
  if (perSecond <= 0) return null;
  const faster = perSecond / (rate.per_second ?? perSecond);
  return { perSecond, burst: Math.floor((rate.burst ?? 0) * faster) };
}

/** The limits that a write of a connection counts against, from the adapter or else from its definition. */
export function writeRate(
  { rate }: AdapterDefinition,
  settings: Settings,
  adapter: Pick<Adapter, 'rate'>,
): (step: PartStep, to: Destination) => WriteRate {
  // An account without a limit on a platform that has one, for a measurement or a server of the operator.
  const lifted = settings.rate_per_second === 0 && rate.per_second !== null;
  if (lifted) return () => UNPACED;
  const adapterRate = (step: PartStep, to: Destination) =>
    ownRate(adapter, step, to) ?? { buckets: chatBucket(rate.per_chat_per_second, step, to) };
  return settings.chat_pacing === 'none'
    ? (step, to) => ({ ...adapterRate(step, to), buckets: [] })
    : adapterRate;
}

/** Undefined if the adapter determines none, or fails to. Its failure is already reported, and nothing was written. */
function ownRate(adapter: Pick<Adapter, 'rate'>, step: PartStep, to: Destination): WriteRate | undefined {
  try {
    return adapter.rate?.(step, to);
  } catch (cause) {
    if (cause instanceof AdapterDefect || cause instanceof PlatformError) return undefined;
    throw cause;
  }
}

function chatBucket(perSecond: number | null, { action }: PartStep, { chatId }: Destination) {
  if (perSecond === null || (action !== 'create' && action !== 'update')) return [];
  const count = Math.max(1, Math.floor(BURST * perSecond));
  return [{ key: `chat:${chatId}`, scope: 'chat' as const, count, perMs: (count / perSecond) * 1000 }];
}
