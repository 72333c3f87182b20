import { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Finish } from '../finish.js';

/** Commands for links between conversations and chats of platforms. */
export function linksCommand(finish: Finish): Command {
  return new Command('links').description('Resume links that the bridge has paused.').addCommand(
    new Command('resume')
      .description('Resume a link that was paused because of a message loop.')
      .argument('<id>', 'id of the link, from the log line link.paused')
      .action(async (id: string) => {
        const { resumePausedLink } = await import('../links.js');
        finish(await resumePausedLink(readConfig(), id));
      }),
  );
}
