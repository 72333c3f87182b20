import { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Finish } from '../finish.js';
import type { ImportMatterbridgeOptions } from '../import-matterbridge.js';

const collect = (value: string, before: readonly string[]) => [...before, value];

/** Commands that take over what another bridge or inbox has. */
export function importCommand(finish: Finish): Command {
  return new Command('import')
    .description('Take over connections, conversations and contacts of other programs.')
    .addCommand(matterbridge(finish));
}

function matterbridge(finish: Finish): Command {
  return new Command('matterbridge')
    .description(
      'Make connections and linked conversations of a matterbridge.toml. A second run changes nothing.',
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
