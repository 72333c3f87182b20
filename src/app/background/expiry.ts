import type { ApiKeyStore } from '../../core/api-keys/ports.js';
import type { Log } from '../../core/common/log.js';
import type { DeliveryStore } from '../../core/deliveries/ports.js';
import { Sweeper } from './sweeper.js';

/** What is to end sooner than was known at the last look ends at most so much late. */
const LOOK_MS = 1_000;
/** Clocks of this process and of the database don't tick together. */
const AFTER_MS = 2;

/** Ends deliveries, and webhooks of expired keys, at their time: the rounds of the other sweeps are seconds late. */
export function expirySweeper(
  deliveries: Pick<DeliveryStore, 'expire'>,
  keys: Pick<ApiKeyStore, 'endExpired'>,
  log: Log,
): Sweeper {
  let restMs = LOOK_MS;
  const run = async () => {
    restMs = LOOK_MS;
    const nextMs = await deliveries.expire();
    if (nextMs !== undefined) restMs = Math.min(LOOK_MS, nextMs + AFTER_MS);
  };
  const sweeps = [
    { name: 'expiry', run },
    { name: 'expired keys', run: () => keys.endExpired() },
  ];
  return new Sweeper(sweeps, log, () => restMs);
}
