import { withManagement } from '../app/apply/management.js';
import { importChatwoot } from '../app/imports/chatwoot/import-account.js';
import type { ImportReport } from '../app/imports/chatwoot/import-report.js';
import { printable } from '../app/imports/printable.js';
import { ImportError } from '../app/imports/problem.js';
import { type Config, namedVariable } from '../config.js';
import { secretFrom } from './secret-option.js';
import { UsageError } from './usage-error.js';

export interface ImportChatwootOptions {
  readonly url: string;
  readonly account: string;
  readonly tokenFile?: string;
  readonly workspace?: string;
  readonly inbox: readonly string[];
  readonly dryRun: boolean;
  readonly json: boolean;
}

const TOKEN = 'CHATWOOT_TOKEN';
/** Milliseconds between two progress lines. */
const EVERY_MS = 10_000;

/** Imports contacts, conversations and messages of a Chatwoot account. */
export async function importChatwootCommand(config: Config, options: ImportChatwootOptions): Promise<number> {
  const { url, workspace, dryRun, json } = options;
  const account = Number(options.account);
  if (!Number.isSafeInteger(account) || account < 1) throw new UsageError('--account must be a number.');
  const token = (await secretFrom('token', undefined, options.tokenFile, namedVariable(TOKEN)))?.trim();
  if (token === undefined || !/^[\x21-\x7e]{1,512}$/.test(token))
    throw new UsageError(`Give the token in ${TOKEN} or with --token-file.`);
  const inboxes = new Map(options.inbox.map(named));
  try {
    const result = await withManagement(config, (management) =>
      importChatwoot(management, { url, account, token, workspace, inboxes, dryRun, progress: progress() }),
    );
    if (json) {
      const { workspaceId: workspace_id, report } = result;
      const record = { dry_run: dryRun, workspace_id, inboxes: result.inboxes, ...report.record() };
      process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
      return 0;
    }
    if (dryRun) process.stdout.write('Dry run: nothing was changed.\n');
    for (const { name, channel, connection } of result.inboxes)
      process.stdout.write(
        `inbox ${printable(`${name} (${channel})`)}: ${connection === null ? 'no connection, so its conversations have no link' : printable(connection)}\n`,
      );
    process.stdout.write(result.report.text());
    return 0;
  } catch (error) {
    if (error instanceof ImportError)
      throw new Error(`${printable(error.message)} Run the command again when this is solved: it goes on.`);
    throw error;
  }
}

function named(text: string): readonly [string, string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError('--inbox has the form NAME=CONNECTION.');
  return [text.slice(0, at), text.slice(at + 1)];
}

function progress(): (report: ImportReport) => void {
  let next = performance.now() + EVERY_MS;
  return ({ totals }) => {
    if (performance.now() < next) return;
    next = performance.now() + EVERY_MS;
    const done = Object.entries(totals).map(
      ([kind, { created, existing, skipped }]) => `${created + existing + skipped} ${kind}`,
    );
    process.stderr.write(`${done.join(', ')}\n`);
  };
}
