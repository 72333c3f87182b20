import { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Finish } from '../finish.js';

interface CreateOptions {
  readonly user: string;
  readonly name: string;
  readonly scopes: string;
  readonly rateLimit?: string;
  readonly test?: boolean;
}

/** Commands for API keys, for use without the dashboard, and for the master key. */
export function keysCommand(finish: Finish): Command {
  return new Command('keys')
    .description('Create, list and revoke API keys, and replace the master key.')
    .addCommand(create(finish))
    .addCommand(list(finish))
    .addCommand(revoke(finish))
    .addCommand(generate(finish))
    .addCommand(rotateMaster(finish))
    .addCommand(status(finish));
}

function create(finish: Finish): Command {
  return new Command('create')
    .description('Create a key and print it once. Its id goes to standard error.')
    .requiredOption('--user <email>', 'member that the key acts for')
    .requiredOption('--name <name>', 'name shown in lists, 1 to 256 characters')
    .requiredOption('--scopes <list>', 'comma-separated scopes, or all; see docs/rest-api.md')
    .option('--rate-limit <n>', 'requests per hour, 0 for unlimited (default: 100)')
    .option('--test', 'act in the test workspace')
    .action(async ({ test = false, rateLimit, ...rest }: CreateOptions) => {
      const { createKey } = await import('../keys.js');
      finish(await createKey(readConfig(), { ...rest, rateLimit, test }));
    });
}

function list(finish: Finish): Command {
  return new Command('list')
    .description('List the keys of all workspaces. Secrets are never shown.')
    .option('--user <email>', 'only the keys of this member')
    .option('--json', 'print one JSON object per line')
    .action(async ({ user, json = false }: { user?: string; json?: boolean }) => {
      const { listKeys } = await import('../keys.js');
      finish(await listKeys(readConfig(), { user, json }));
    });
}

function revoke(finish: Finish): Command {
  return new Command('revoke')
    .description(
      'Revoke a key. It stops working within a second, and the webhooks that it registered are disabled.',
    )
    .option('--keep-webhooks', 'leave the webhooks that the key registered enabled')
    .argument('<id>', 'id of the key, from keys list')
    .action(async (id: string, { keepWebhooks = false }: { keepWebhooks?: boolean }) => {
      const { revokeKey } = await import('../keys.js');
      finish(await revokeKey(readConfig(), id, keepWebhooks));
    });
}

function generate(finish: Finish): Command {
  return new Command('generate')
    .description('Print a fresh key for TRUNKLINE_BOOTSTRAP_API_KEY. Nothing is stored.')
    .option('--test', 'a key for the test workspace')
    .action(async ({ test = false }: { test?: boolean }) => {
      const { generateKey } = await import('../keys.js');
      finish(generateKey(test));
    });
}

function rotateMaster(finish: Finish): Command {
  return new Command('rotate-master')
    .description(
      'Wrap the keys of all workspaces with TRUNKLINE_MASTER_KEY, while processes run. ' +
        'Each of them must have TRUNKLINE_MASTER_KEY_PREVIOUS, the former key, before.',
    )
    .action(async () => finish(await (await import('../master-key.js')).rotateMaster(readConfig())));
}

function status(finish: Finish): Command {
  return new Command('status')
    .description('Show what is sealed under which master key, and whether the former one is needed.')
    .action(async () => finish(await (await import('../master-key.js')).masterKeyState(readConfig())));
}
