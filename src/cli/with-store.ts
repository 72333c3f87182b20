import { createLog } from '../app/log.js';
import { prepareDataDir } from '../app/startup/data-dir.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import { ManageApiKeys } from '../core/api-keys/use-cases.js';
import type { MessageTraceRecord } from '../core/messages/trace.js';
import type { WorkspaceStore } from '../core/workspaces/ports.js';
import { PostgresApiKeyManagement } from '../store/access/api-key-management.js';
import { openDatabase } from '../store/connection/database.js';
import { resumeLink } from '../store/conversations/links.js';
import { install } from '../store/install.js';
import { traceAnywhere } from '../store/messages/message-history.js';
import { type ExportedRecord, exportUser } from '../store/people/user-export.js';
import { PostgresWorkspaces } from '../store/workspaces/workspaces.js';

export interface CommandStores {
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ManageApiKeys;
  /** Lets a paused link go on; false when it is not paused. */
  readonly resumeLink: (linkId: string) => Promise<boolean>;
  /** What happened to a message of any workspace; undefined when there is none. */
  readonly messageTrace: (id: string) => Promise<MessageTraceRecord | undefined>;
  readonly userExport: (userId: string) => AsyncIterable<ExportedRecord>;
}

/** Opens the database for one command, with or without a running service. */
export async function withStore(
  config: Config,
  work: (stores: CommandStores) => Promise<number>,
): Promise<number> {
  const log = createLog('error');
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) await prepareDataDir(dataDir);
  const database = await openDatabase({ databaseUrl, dataDir, log, attach: true });
  try {
    await install(database.pool, { log, release: version });
    const workspaces = new PostgresWorkspaces(database.pool);
    return await work({
      workspaces,
      apiKeys: new ManageApiKeys(new PostgresApiKeyManagement(database.pool), workspaces),
      resumeLink: (linkId) => resumeLink(database.pool, linkId),
      messageTrace: (id) => traceAnywhere(database.pool, id),
      userExport: (userId) => exportUser(database.pool, userId),
    });
  } finally {
    await database.stop();
  }
}
