import type { Config } from '../../config.js';
import type { Log } from '../../core/common/log.js';
import type { Database } from '../../store/connection/database.js';
import type { Notifications } from '../../store/connection/notifications.js';
import { KEY_CHANNEL, type MasterKeySource, readKeyState } from '../../store/secrets/master-key.js';
import type { AesSecretBox } from '../../store/secrets/secret-box.js';

/** Where the master keys of a configuration are. */
export function masterKeySource({ masterKey, previousMasterKey, dataDir }: Config): MasterKeySource {
  return { configured: masterKey, previous: previousMasterKey, dataDir };
}

/** Says what is left to do while a former master key is set. */
export function warnOfRotation({ previousMasterKey }: Config, isNeeded: boolean, log: Log): void {
  if (previousMasterKey === undefined) return;
  const fix = isNeeded
    ? 'Run "trunkline keys rotate-master" once every process has both keys.'
    : 'Remove TRUNKLINE_MASTER_KEY_PREVIOUS: nothing needs the former key any more.';
  log.warn({ fix }, isNeeded ? 'master_key.rotation_pending' : 'master_key.rotation_complete');
}

export interface KeyWatch {
  readonly database: Pick<Database, 'pool'>;
  readonly box: AesSecretBox;
  readonly notifications: Notifications;
  readonly log: Log;
}

/**
 * Calls `lost` when the database names a master key that this process does not have. The process can't read what others seal
 * from then on, and would hold up the work that it takes.
 */
export async function watchMasterKey(watch: KeyWatch, lost: () => void): Promise<void> {
  const { database, box, notifications, log } = watch;
  let isLost = false;
  const look = async () => {
    const state = await readKeyState(database.pool);
    if (isLost || state === undefined || box.knows(state.sealing)) return;
    isLost = true;
    const fix = 'Set TRUNKLINE_MASTER_KEY to the new key, and start the process again.';
    log.error({ fix }, 'master_key.replaced');
    lost();
  };
  const again = () => {
    // A lost connection is followed by another look.
    look().catch((err: unknown) => log.warn({ err }, 'master_key.look_failed'));
  };
  await notifications.listen(KEY_CHANNEL, again);
  notifications.onReconnect(again);
  await look();
}
