import type { Config } from '../../config.js';
import { trySealedValues } from '../../store/inspection/sealed-values.js';
import { MasterKeyInvalidError } from '../../store/secrets/errors.js';
import { findMasterKey } from '../../store/secrets/master-key.js';
import { AesSecretBox } from '../../store/secrets/secret-box.js';
import type { Pool } from './database.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'Master key';

/** The key, or what is wrong with it. Makes none. */
export async function readMasterKey({ masterKey, dataDir }: Config): Promise<Buffer | Finding> {
  try {
    const key = await findMasterKey({ configured: masterKey, dataDir });
    return (
      key ??
      warning(
        NAME,
        'There is none yet.',
        'The first start makes one in DATA_DIR/master.key. For an existing database set TRUNKLINE_MASTER_KEY to its key.',
      )
    );
  } catch (error) {
    if (error instanceof MasterKeyInvalidError)
      return problem(NAME, error.message, 'Restore the key from where you keep it apart from the backups.');
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return problem(
      NAME,
      `DATA_DIR/master.key can not be read (${code}).`,
      'Give the file to the user of the service.',
    );
  }
}

/** Whether the key opens what is stored. */
export async function checkSealed(pool: Pool, key: Buffer): Promise<Finding[]> {
  const { keyFits, tried, unreadable } = await trySealedValues(pool, new AesSecretBox(key));
  if (keyFits === undefined) return [ok(NAME, 'It is there. The database has not met any key yet.')];
  if (!keyFits)
    return [
      problem(
        NAME,
        'It is not the key of this database. The service does not start with it.',
        'Set TRUNKLINE_MASTER_KEY, or restore DATA_DIR/master.key, from the installation that made the database.',
      ),
    ];
  if (unreadable.length > 0)
    return [
      problem(
        NAME,
        `${unreadable.length} of ${tried} stored secrets can not be read: ${unreadable.slice(0, 3).join(', ')}.`,
        'Enter the credentials of these connections again, and rotate the secrets of these webhooks.',
      ),
    ];
  return [ok(NAME, `It opens all ${tried} stored secrets.`)];
}
