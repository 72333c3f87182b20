import type { ApiKeyStore } from '../../core/api-keys/ports.js';
import type { Log } from '../../core/common/log.js';
import type { DeliveryStore } from '../../core/deliveries/ports.js';
import { Sweeper } from './sweeper.js';

/** Interval of checks. An expiry time that was set after the last check takes effect at most this late. */
const CHECK_EVERY_MS = 1_000;
/** Margin for the difference between the clocks of this process and the database. */
const AFTER_MS = 2;

/** Expires deliveries and ends webhooks of expired keys on time. The rounds of other sweeps would be seconds late. */
export function expirySweeper(
  deliveries: Pick<DeliveryStore, 'expire'>,
  keys: Pick<ApiKeyStore, 'endExpired'>,
  log: Log,
): Sweeper {
  let restMs = CHECK_EVERY_MS;
  const run = async () => {
    restMs = CHECK_EVERY_MS;
    const nextMs = await deliveries.expire();
    if (nextMs !== undefined) restMs = Math.min(CHECK_EVERY_MS, nextMs + AFTER_MS);
  };
  const sweeps = [
    { name: 'expiry', run },
    { name: 'expired keys', run: () => keys.endExpired() },
  ];
  return new Sweeper(sweeps, log, () => restMs);
}
