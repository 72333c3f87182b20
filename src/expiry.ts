import type { DeliveryStore } from './core/ports/deliveries.js';
import type { Log } from './core/ports/log.js';
import { Sweeper } from './sweeper.js';

/** What is to end sooner than was known at the last look ends at most so much late. */
const LOOK_MS = 1_000;
/** Clocks of this process and of the database don't tick together. */
const AFTER_MS = 2;

/** Ends deliveries at their time, which the rounds of all the other sweeps would keep by seconds only. */
export function expirySweeper(deliveries: Pick<DeliveryStore, 'expire'>, log: Log): Sweeper {
  let restMs = LOOK_MS;
  const run = async () => {
    restMs = LOOK_MS;
    const nextMs = await deliveries.expire();
    if (nextMs !== undefined) restMs = Math.min(LOOK_MS, nextMs + AFTER_MS);
  };
  return new Sweeper([{ name: 'expiry', run }], log, () => restMs);
}
