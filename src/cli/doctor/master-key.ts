import { masterKeySource } from '../../app/startup/master-key.js';
import type { Config } from '../../config.js';
import { trySealedValues } from '../../store/inspection/sealed-values.js';
import { MasterKeyInvalidError } from '../../store/secrets/errors.js';
import { findSecretBox, readKeyState } from '../../store/secrets/master-key.js';
import { isSettled, needsFormer } from '../../store/secrets/rotation.js';
import type { AesSecretBox } from '../../store/secrets/secret-box.js';
import type { Pool } from './database.js';
import { type Finding, ok, problem, warning } from './finding.js';

export type { AesSecretBox as SecretBox };

const NAME = 'Master key';
/** Maximum number of unreadable values that are named. */
const MAX_NAMED = 3;

/** Reads the master keys, or returns a finding about them. Creates no key. */
export async function readMasterKey(config: Config): Promise<AesSecretBox | Finding> {
  try {
    const box = await findSecretBox(masterKeySource(config));
    return (
      box ??
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
      `DATA_DIR/master.key cannot be read (${code}).`,
      'Give the file to the user of the service.',
    );
  }
}

/** Checks whether the keys decrypt the stored secrets, and whether a former key is still needed. */
export async function checkSealed(pool: Pool, box: AesSecretBox, config: Config): Promise<Finding[]> {
  const { keyFits, tried, unreadableKeys, unreadable } = await trySealedValues(pool, box);
  if (keyFits === undefined) return [ok(NAME, 'It is there. The database has not met any key yet.')];
  if (!keyFits)
    return [
      problem(
        NAME,
        'It is not the key of this database. The service does not start with it.',
        'Set TRUNKLINE_MASTER_KEY, or restore DATA_DIR/master.key, from the installation that made the database.',
      ),
    ];
  if (unreadableKeys.length > 0)
    return [
      problem(
        NAME,
        `These keys cannot be read: ${unreadableKeys.slice(0, MAX_NAMED).join(', ')}.`,
        'Restore the database. Without a backup, delete their rows of workspace_keys, and enter the credentials of these workspaces again.',
      ),
    ];
  if (unreadable.length > 0)
    return [
      problem(
        NAME,
        `${unreadable.length} of ${tried} stored secrets cannot be read: ${unreadable.slice(0, MAX_NAMED).join(', ')}.`,
        'Enter the credentials of these connections again. Delete these webhooks, and create them again.',
      ),
    ];
  return [ok(NAME, `It opens all ${tried} stored secrets.`), ...(await checkRotation(pool, box, config))];
}

async function checkRotation(
  pool: Pool,
  box: AesSecretBox,
  { previousMasterKey }: Config,
): Promise<Finding[]> {
  const state = await readKeyState(pool);
  if (state === undefined || (previousMasterKey === undefined && isSettled(state, box))) return [];
  if (!isSettled(state, box) && !needsFormer(state, box))
    return [
      warning(
        NAME,
        'Stored secrets do not have keys of their workspaces yet.',
        'Run "trunkline keys rotate-master" once every process runs this release.',
      ),
    ];
  if (!isSettled(state, box))
    return [
      warning(
        NAME,
        'Its rotation is not complete: stored secrets need the former key.',
        'Set TRUNKLINE_MASTER_KEY_PREVIOUS to the former key in every process, and run "trunkline keys rotate-master".',
      ),
    ];
  return [
    warning(
      NAME,
      'TRUNKLINE_MASTER_KEY_PREVIOUS is set, but nothing needs the former key any more.',
      'Remove it from the environment of every process, and destroy the former key.',
    ),
  ];
}
