import Table from 'cli-table3';
import type { Config } from '../config.js';
import { withStore } from './with-store.js';

/** Replaces the master key while processes run. Exit code 1 when something can't be read with the new key alone. */
export async function rotateMaster(config: Config): Promise<number> {
  return withStore(config, async ({ rotateMasterKey }) => {
    const { outcome, sealedAgain, proven, unreadable } = await rotateMasterKey();
    if (outcome === 'nothing') {
      process.stdout.write('The master key is already the one of the database. Nothing was changed.\n');
    } else {
      process.stdout.write(`sealed again: ${sealedAgain}\n`);
    }
    process.stdout.write(`opened with the new key alone: ${proven}\n`);
    if (unreadable.length > 0) {
      for (const name of unreadable) process.stderr.write(`unreadable: ${name}\n`);
      process.stderr.write(
        'These secrets can not be read. Enter credentials again and delete the webhooks, then repeat the command. ' +
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

/** Prints what is sealed under which master key, and whether the former one is needed. */
export async function masterKeyState(config: Config): Promise<number> {
  return withStore(config, async ({ masterKeyStatus }) => {
    const { isSettled, counts } = await masterKeyStatus();
    const table = new Table({ head: ['Column', 'Current key', 'Former key'], style: { head: [] } });
    for (const { name, current, other } of counts) table.push([name, current, other]);
    process.stdout.write(`${table.toString()}\n`);
    const verdict = isSettled
      ? 'Nothing needs a former master key.'
      : 'TRUNKLINE_MASTER_KEY_PREVIOUS is needed. Run "trunkline keys rotate-master".';
    process.stdout.write(`${verdict}\n`);
    return 0;
  });
}
