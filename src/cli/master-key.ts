import type { Config } from '../config.js';
import { plainTable } from './plain-table.js';
import { withStore } from './with-store.js';

/** Replaces the master key while processes run. Exit code 1 when some data can't be read with the new key alone. */
export async function rotateMaster(config: Config): Promise<number> {
  return withStore(config, async ({ rotateMasterKey }) => {
    const { outcome, wrappedAgain, sealedAgain, proven, unreadable } = await rotateMasterKey();
    if (outcome === 'nothing') {
      process.stdout.write('The master key is already the one of the database. Nothing was changed.\n');
    } else {
      process.stdout.write(`keys of workspaces wrapped again: ${wrappedAgain}\n`);
      process.stdout.write(`secrets sealed again: ${sealedAgain}\n`);
    }
    process.stdout.write(`opened with the new key alone: ${proven}\n`);
    if (unreadable.length > 0) {
      for (const name of unreadable) process.stderr.write(`unreadable: ${name}\n`);
      process.stderr.write(
        'These secrets cannot be read. Enter credentials again and delete the webhooks, then repeat the command. ' +
          'Keep TRUNKLINE_MASTER_KEY_PREVIOUS until then.\n',
      );
      return 1;
    }
    if (config.previousMasterKey !== undefined) process.stdout.write(`${MAY_BE_REMOVED}\n`);
    return 0;
  });
}

const MAY_BE_REMOVED =
  'Nothing needs the former master key. Remove TRUNKLINE_MASTER_KEY_PREVIOUS and restart the processes.';

/** Prints what is encrypted under which master key, and whether the former one is needed. */
export async function masterKeyState(config: Config): Promise<number> {
  return withStore(config, async ({ masterKeyStatus }) => {
    const { name, isSettled, needsFormer, counts } = await masterKeyStatus();
    const table = plainTable(['Column', 'Current', 'Former']);
    for (const count of counts) table.push([count.name, count.current, count.other]);
    process.stdout.write(`Master key of the database: ${name}\n`);
    process.stdout.write(`${table.toString()}\n`);
    process.stdout.write(`${verdictOn(isSettled, needsFormer)}\n`);
    return 0;
  });
}

function verdictOn(isSettled: boolean, needsFormer: boolean): string {
  if (isSettled) return 'Nothing needs a former master key.';
  if (needsFormer) return 'TRUNKLINE_MASTER_KEY_PREVIOUS is needed. Run "trunkline keys rotate-master".';
  return 'Run "trunkline keys rotate-master" once every process runs this release: it gives each workspace a key of its own.';
}
