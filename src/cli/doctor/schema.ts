import { version } from '../../app/version.js';
import { SchemaChangedError, SchemaTooNewError } from '../../store/errors.js';
import { readSchemaState } from '../../store/inspection/schema-state.js';
import type { Pool } from './database.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'Migrations';
const EMPTY = 'The database is empty.';

/** Checks whether tables and functions are those of this version. */
export async function checkSchema(pool: Pool): Promise<Finding[]> {
  try {
    const { applied, known, pending, functions } = await readSchemaState(pool, version);
    if (applied === 0)
      return [warning(NAME, EMPTY, 'Start the service, or run "trunkline migrate": both create the tables.')];
    if (pending.length > 0)
      return [
        problem(
          NAME,
          `${pending.length} of ${known} schema files have not run: ${pending.slice(0, 5).join(', ')}.`,
          'Make a backup, then run "trunkline migrate" or start the service.',
        ),
      ];
    if (applied > known)
      return [warning(NAME, 'A newer version changed the tables.', 'Update this installation as well.')];
    if (functions !== 'current')
      return [
        warning(
          NAME,
          `The database functions are those of version ${functions.release ?? 'unknown'}, not of ${version}.`,
          'Restart the service in this version, or run "trunkline migrate".',
        ),
      ];
    return [ok(NAME, `All ${known} schema files ran, and the functions are those of ${version}.`)];
  } catch (error) {
    if (error instanceof SchemaTooNewError)
      return [problem(NAME, error.message, 'Start the newer version, or restore a backup.')];
    if (error instanceof SchemaChangedError)
      return [
        problem(
          NAME,
          error.message.split('\n')[0] ?? '',
          'See "Builds before the first release" in docs/operations.md.',
        ),
      ];
    throw error;
  }
}

/** Whether the tables exist and this version can read them. */
export function isReadable(schema: readonly Finding[]): boolean {
  return schema.every(({ level, found }) => level !== 'problem' && found !== EMPTY);
}
