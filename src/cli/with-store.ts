import { createLog } from '../app/log.js';
import { prepareDataDir } from '../app/startup/data-dir.js';
import { masterKeySource } from '../app/startup/master-key.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import { ManageApiKeys } from '../core/api-keys/use-cases.js';
import type { MessageTraceRecord } from '../core/messages/trace.js';
import type { WorkspaceStore } from '../core/workspaces/ports.js';
import { PostgresApiKeyManagement } from '../store/access/api-key-management.js';
import { type ChainedRow, readAuditChains } from '../store/access/audit-chain.js';
import { openDatabase } from '../store/connection/database.js';
import { resumeLink } from '../store/conversations/links.js';
import { install } from '../store/install.js';
import { traceAnywhere } from '../store/messages/message-history.js';
import { type ExportedRecord, exportUser } from '../store/people/user-export.js';
import { checkMasterKey, findSecretBox } from '../store/secrets/master-key.js';
import {
  type ColumnCount,
  countSealed,
  isSettled,
  needsFormer,
  type Rotation,
  rotateMasterKey,
} from '../store/secrets/rotation.js';
import { AesSecretBox } from '../store/secrets/secret-box.js';
import { PostgresWorkspaces } from '../store/workspaces/workspaces.js';

interface MasterKeyStatus {
  /** Id of the database's master key, for display. */
  readonly name: string;
  readonly needsFormer: boolean;
  /** Whether no former key is needed and every secret is encrypted with the key of its workspace. */
  readonly isSettled: boolean;
  readonly counts: readonly ColumnCount[];
}

export interface CommandStores {
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ManageApiKeys;
  /** Resumes a paused link. Resolves with false when it is not paused. */
  readonly resumeLink: (linkId: string) => Promise<boolean>;
  /** The trace of a message of any workspace. Undefined when there is no such message. */
  readonly messageTrace: (id: string) => Promise<MessageTraceRecord | undefined>;
  /** Wraps the keys of all workspaces again with the configured master key. */
  readonly rotateMasterKey: () => Promise<Rotation>;
  /** Whether the former master key is needed, and what is encrypted under which key. */
  readonly masterKeyStatus: () => Promise<MasterKeyStatus>;
  /** The audit logs of all workspaces, in the order of their chains. */
  readonly auditChains: () => AsyncIterable<ChainedRow>;
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
      auditChains: () => readAuditChains(database.pool),
      userExport: (userId) => exportUser(database.pool, userId),
      rotateMasterKey: async () => {
        const box = await secretBox(config);
        return rotateMasterKey(database.pool, box, new AesSecretBox(box.keyOf(box.keyId)));
      },
      masterKeyStatus: async () => {
        const box = await secretBox(config);
        const state = await checkMasterKey(database.pool, box);
        const counts = await countSealed(database.pool, box);
        const name = state.sealing.toString('hex');
        return { name, isSettled: isSettled(state, box), needsFormer: needsFormer(state, box), counts };
      },
    });
  } finally {
    await database.stop();
  }
}

/** Reads the master key. A command never creates one. */
async function secretBox(config: Config): Promise<AesSecretBox> {
  const box = await findSecretBox(masterKeySource(config));
  if (box === undefined) throw new Error('There is no master key: set TRUNKLINE_MASTER_KEY.');
  return box;
}
