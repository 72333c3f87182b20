import type { Log } from '../../common/log.js';
import type { Rates } from '../../rates/rates.js';
import type { PlatformErrorEffects } from '../platform-error-effects.js';
import type { DeliveryStore, SendingConnections, WriteJournal } from '../ports.js';
import type { Telemetry } from '../telemetry.js';
import type { AccountPauses } from './account-pauses.js';
import type { LocalHandoff } from './local-handoff.js';
import type { Reminders } from './reminders.js';
import type { ResultBatcher } from './result-batcher.js';

/** Services shared by the dispatchers of a process. */
export interface DispatchServices {
  readonly store: DeliveryStore;
  readonly connections: SendingConnections;
  readonly rates: Rates;
  readonly pauses: AccountPauses;
  readonly reminders: Reminders;
  readonly handoff: LocalHandoff;
  readonly results: ResultBatcher;
  readonly errorEffects: PlatformErrorEffects;
  readonly journal: WriteJournal;
  readonly telemetry: Telemetry;
  readonly log: Log;
  /** True after a stop: no more work is leased, and no write begins. */
  isStopping(): boolean;
}
