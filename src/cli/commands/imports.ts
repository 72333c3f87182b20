import { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Finish } from '../finish.js';
import type { ImportChatwootOptions } from '../import-chatwoot.js';
import type { ImportMatterbridgeOptions } from '../import-matterbridge.js';

const collect = (value: string, before: readonly string[]) => [...before, value];

/** Commands that import the data of another bridge or inbox. */
export function importCommand(finish: Finish): Command {
  return new Command('import')
    .description('Import connections, conversations and contacts of other programs.')
    .addCommand(matterbridge(finish))
    .addCommand(chatwoot(finish));
}

function matterbridge(finish: Finish): Command {
  return new Command('matterbridge')
    .description(
      'Create the connections and linked conversations of a matterbridge.toml. A second run changes nothing.',
    )
    .argument('<file>', 'the file; see docs/importing.md')
    .option('--dry-run', 'report what would be made, and change nothing', false)
    .option('--json', 'print one JSON object for programs', false)
    .option('--workspace <name>', 'name or id of the workspace (default: the only one)')
    .option('--disabled', 'make new connections disabled, for as long as matterbridge runs', false)
    .option(
      '--connection <account=name>',
      'name of the connection of an account; may be repeated',
      collect,
      [],
    )
    .option(
      '--credential <account.field=reference>',
      'a credential that the file lacks, as ENV:NAME or FILE:path; may be repeated',
      collect,
      [],
    )
    .option(
      '--channel <account/channel=id>',
      'id of a channel that the file names; may be repeated',
      collect,
      [],
    )
    .action(async (file: string, options: ImportMatterbridgeOptions) => {
      const { importMatterbridgeCommand } = await import('../import-matterbridge.js');
      finish(await importMatterbridgeCommand(readConfig(), file, options));
    });
}

function chatwoot(finish: Finish): Command {
  return new Command('chatwoot')
    .description(
      'Import contacts, conversations and messages of Chatwoot. Sends nothing. A second run continues where the first one ended.',
    )
    .requiredOption('--url <address>', 'address of Chatwoot, such as https://app.chatwoot.com')
    .requiredOption('--account <id>', 'number of the account; see the address of its pages')
    .option(
      '--token-file <path>',
      'file that holds the access token of an administrator (default: CHATWOOT_TOKEN)',
    )
    .option('--inbox <name=connection>', 'connection that an inbox becomes; may be repeated', collect, [])
    .option('--workspace <name>', 'name or id of the workspace (default: the only one)')
    .option('--dry-run', 'report what would be made, and change nothing', false)
    .option('--json', 'print one JSON object for programs', false)
    .action(async (options: ImportChatwootOptions) => {
      const { importChatwootCommand } = await import('../import-chatwoot.js');
      finish(await importChatwootCommand(readConfig(), options));
    });
}
