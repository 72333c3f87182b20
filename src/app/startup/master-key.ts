import type { Config } from '../../config.js';
import type { Log } from '../../core/common/log.js';
import type { MasterKeySource } from '../../store/secrets/master-key.js';

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
