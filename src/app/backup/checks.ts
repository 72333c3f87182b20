import type { Config } from '../../config.js';
import { knownSchema } from '../../store/install.js';
import { findSecretBox, keyNameOf, opensCheck } from '../../store/secrets/master-key.js';
import { masterKeySource } from '../startup/master-key.js';
import { version } from '../version.js';
import type { BackupStart } from './restore.js';

/** Refuses a backup of a newer release, or of a build with other tables. */
export async function checkSchema({ schema, release }: BackupStart): Promise<void> {
  const known = await knownSchema();
  if (schema.some((checksum, index) => known[index] !== checksum))
    throw new Error(
      `The backup was made by Trunkline ${release} with tables that this version (${version}) does not know. ` +
        `Nothing was changed. Restore it with Trunkline ${release}.`,
    );
}

/** Refuses a master key that can't decrypt the credentials of the backup. */
export async function checkKey(config: Config, { keyCheck }: BackupStart): Promise<void> {
  if (keyCheck === null) return;
  const box = await findSecretBox(masterKeySource(config));
  const wayOut =
    'Nothing was changed. Set TRUNKLINE_MASTER_KEY to the key of the installation that was backed up, or copy its ' +
    'master.key into DATA_DIR.';
  if (box === undefined) throw new Error(`There is no master key for this backup. ${wayOut}`);
  const check = Buffer.from(keyCheck, 'base64');
  if (!opensCheck(check, box))
    throw new Error(
      `The master key does not fit the backup. The backup needs the one that "trunkline keys status" calls ` +
        `${keyNameOf(check)}. ${wayOut}`,
    );
}
