import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Change, type Kind, kinds } from '../app/apply/change.js';
import { withManagement } from '../app/apply/management.js';
import { makePlan } from '../app/apply/plan.js';
import { readSpec, SpecError } from '../app/apply/read-spec.js';
import { describePlan } from '../app/apply/render.js';
import { Secrets } from '../app/apply/secrets.js';
import { type Config, namedVariable } from '../config.js';
import { UsageError } from './usage-error.js';

export interface ApplyOptions {
  readonly plan: boolean;
  readonly yes: boolean;
  /** Comma-separated kinds. */
  readonly prune?: string;
}

/** Changes the database to match a file, after it has shown the differences. */
export async function applyCommand(config: Config, file: string, options: ApplyOptions): Promise<number> {
  const prune = prunedKinds(options.prune);
  if (!options.plan && !options.yes && !process.stdin.isTTY)
    throw new UsageError('Standard input is not a terminal. Use --plan or --yes.');
  try {
    const read = await readSpec(file);
    return await withManagement(config, async (management) => {
      const secrets = new Secrets(namedVariable, dirname(file));
      const planned = () => makePlan({ management, secrets, file, read, prune });
      const changes = await planned();
      process.stdout.write(describePlan(changes));
      if (options.plan || changes.length === 0) return 0;
      if (!options.yes && !(await isConfirmed(changes, planned))) return 1;
      return perform(changes);
    });
  } catch (error) {
    if (error instanceof SpecError) throw new UsageError(error.message);
    throw error;
  }
}

function prunedKinds(text: string | undefined): ReadonlySet<Kind> {
  if (text === undefined) return new Set();
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(kinds as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--prune takes a list of ${kinds.join(', ')}; there is no "${unknown}".`);
  return new Set(names as Kind[]);
}

/** Asks for confirmation, then plans again. If the plan has changed in the meantime, nothing is applied. */
async function isConfirmed(changes: readonly Change[], planned: () => Promise<Change[]>): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Apply these changes? Type yes: ').finally(() => terminal.close());
  if (answer.trim().toLowerCase() !== 'yes') {
    process.stderr.write('Nothing was changed.\n');
    return false;
  }
  if (describePlan(await planned()) === describePlan(changes)) return true;
  process.stderr.write('The database changed in between, and nothing was done. Run the command again.\n');
  return false;
}

/** Makes the changes in order. After a failure, the remaining changes are left to the next run. */
async function perform(changes: readonly Change[]): Promise<number> {
  for (const [done, change] of changes.entries()) {
    try {
      const shown = await change.perform();
      if (shown !== undefined) process.stdout.write(`${shown}\n`);
    } catch (error) {
      throw new Error(
        `${change.workspace}: ${change.action} ${change.what} ${change.name}: ${(error as Error).message} ` +
          `${done} of ${changes.length} changes were made. Run the command again when this is solved.`,
      );
    }
  }
  process.stdout.write(`${changes.length} ${changes.length === 1 ? 'change was' : 'changes were'} made.\n`);
  return 0;
}
