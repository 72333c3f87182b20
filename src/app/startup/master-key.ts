import type { Config } from '../../config.js';
import type { Log } from '../../core/common/log.js';
import type { Database } from '../../store/connection/database.js';
import type { Notifications } from '../../store/connection/notifications.js';
import { KEY_CHANNEL, type MasterKeySource, readKeyState } from '../../store/secrets/master-key.js';
import type { AesSecretBox } from '../../store/secrets/secret-box.js';

/** The sources of the configured master keys. */
export function masterKeySource({ masterKey, previousMasterKey, dataDir }: Config): MasterKeySource {
  return { configured: masterKey, previous: previousMasterKey, dataDir };
}

/** Logs the remaining steps while a former master key is configured. */
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
 * Calls `lost` when the database uses a master key that this process does not have. From then on, the process can't decrypt
 * secrets that other processes encrypt, and would delay the work that it takes.
 */
export async function watchMasterKey(watch: KeyWatch, lost: () => void): Promise<void> {
  const { database, box, notifications, log } = watch;
  let isLost = false;
  const check = async () => {
    const state = await readKeyState(database.pool);
    if (isLost || state === undefined || box.knows(state.sealing)) return;
    isLost = true;
    const fix = 'Set TRUNKLINE_MASTER_KEY to the new key, and start the process again.';
    log.error({ fix }, 'master_key.replaced');
    lost();
  };
  const again = () => {
    // After a lost connection, the reconnect starts another check.
    check().catch((err: unknown) => log.warn({ err }, 'master_key.check_failed'));
  };
  await notifications.listen(KEY_CHANNEL, again);
  notifications.onReconnect(again);
  await check();
}
