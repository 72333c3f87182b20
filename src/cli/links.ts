import { z } from 'zod';
import type { Config } from '../config.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

/** Resumes a link that the bridge has paused because of a loop. */
export async function resumePausedLink(config: Config, linkId: string): Promise<number> {
  if (!z.guid().safeParse(linkId).success) throw new UsageError('The id of a link is a UUID.');
  return withStore(config, async ({ resumeLink }) => {
    if (!(await resumeLink(linkId)))
      throw new Error(`No paused link has the id ${linkId}. The log line link.paused has it as link_id.`);
    process.stdout.write('The link was resumed.\n');
    return 0;
  });
}
