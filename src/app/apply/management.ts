import 'reflect-metadata';
import { join } from 'node:path';
import { bundledAdapters } from '../../../adapters/index.js';
import type { Config } from '../../config.js';
import { contributionsOf } from '../../connections/module.js';
import { ManageApiKeys } from '../../core/api-keys/use-cases.js';
import { UploadFile } from '../../core/media/upload-file.js';
import { ManageMembers } from '../../core/members/use-cases.js';
import { Addresses } from '../../core/platforms/addresses.js';
import { Platforms } from '../../core/platforms/catalogue.js';
import { ManageConnections } from '../../core/platforms/use-cases.js';
import {
  CreateWebhook,
  DeleteWebhook,
  RotateSecret,
  UpdateWebhook,
} from '../../core/webhooks/use-cases/index.js';
import { ManageWorkspaces } from '../../core/workspaces/use-cases.js';
import { DiskFiles } from '../../media/disk-files.js';
import { createGuard } from '../../outgoing/guard.js';
import { PostgresApiKeyManagement } from '../../store/access/api-key-management.js';
import { PostgresMembers } from '../../store/access/members.js';
import { PostgresSecondSteps } from '../../store/access/second-steps.js';
import { openDatabase } from '../../store/connection/database.js';
import { PostgresChats } from '../../store/conversations/chats.js';
import { PostgresConversations } from '../../store/conversations/conversations.js';
import { PostgresLinks } from '../../store/conversations/links.js';
import { install } from '../../store/install.js';
import { withApplyLock } from '../../store/maintenance/apply-lock.js';
import { PostgresMedia } from '../../store/media/media.js';
import { PostgresInboxImports } from '../../store/people/inbox-imports.js';
import { PostgresConnectionRuntime } from '../../store/platforms/connection-runtime.js';
import { PostgresConnections } from '../../store/platforms/connections.js';
import { InstallationSecretBox } from '../../store/secrets/installation-secret-box.js';
import { checkMasterKey, findSecretBox } from '../../store/secrets/master-key.js';
import { PostgresWebhookLists } from '../../store/webhooks/lists.js';
import { PostgresWebhooks } from '../../store/webhooks/webhooks.js';
import { PostgresWorkspaces } from '../../store/workspaces/workspaces.js';
import { Argon2Passwords } from '../access/passwords.js';
import { loadAdapterPackages } from '../adapter-packages.js';
import { createLog } from '../log.js';
import { prepareDataDir } from '../startup/data-dir.js';
import { masterKeySource } from '../startup/master-key.js';
import { version } from '../version.js';

/** The use cases of the dashboard and the REST API, and the stores that a plan reads. */
export type Management = Awaited<ReturnType<typeof openManagement>>['management'];

/** Opens the database for `work`, with or without a running service. A lock allows one process at a time. */
export async function withManagement<T>(
  config: Config,
  work: (management: Management) => Promise<T>,
): Promise<T> {
  const { management, database, stop } = await openManagement(config);
  try {
    return await withApplyLock(database.connection, () => work(management));
  } finally {
    await stop();
  }
}

async function openManagement(config: Config) {
  const log = createLog('error', process.stderr);
  const { databaseUrl, dataDir } = config;
  const packaged = await loadAdapterPackages({ adapters: config.adapters, folder: process.cwd(), log });
  if (databaseUrl === undefined) await prepareDataDir(dataDir);
  const database = await openDatabase({ databaseUrl, dataDir, log, attach: true });
  const guard = createGuard({ allowPrivateTargets: config.allowPrivateTargets, ownAddress: () => undefined });
  const stop = async () => {
    await guard.close();
    await database.stop();
  };
  try {
    const { pool } = database;
    await install(pool, { log, release: version });
    const box = await findSecretBox(masterKeySource(config));
    if (box === undefined)
      throw new Error('There is no master key: set TRUNKLINE_MASTER_KEY, or start the service once.');
    await checkMasterKey(pool, box);
    const secrets = new InstallationSecretBox(pool, box);
    const definitions = [...bundledAdapters.flatMap(contributionsOf), ...packaged.packages.keys()];
    const platforms = new Platforms(definitions, packaged.refused, packaged.packages);
    return { management: useCasesOf({ config, pool, secrets, guard, platforms, log }), database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Parts {
  readonly config: Config;
  readonly pool: Awaited<ReturnType<typeof openDatabase>>['pool'];
  readonly secrets: InstallationSecretBox;
  readonly guard: ReturnType<typeof createGuard>;
  readonly platforms: Platforms;
  readonly log: ReturnType<typeof createLog>;
}

function useCasesOf({ config, pool, secrets, guard, platforms, log }: Parts) {
  const workspaceStore = new PostgresWorkspaces(pool);
  const keyStore = new PostgresApiKeyManagement(pool);
  const memberStore = new PostgresMembers(pool);
  const connectionStore = new PostgresConnections(pool, secrets);
  const runtime = new PostgresConnectionRuntime(pool, secrets);
  const webhookStore = new PostgresWebhooks(pool, secrets);
  const files = new DiskFiles(join(config.dataDir, 'media'));
  const publicUrl = () => config.publicUrl ?? `http://localhost:${config.port}`;
  return {
    platforms,
    targets: guard,
    outgoing: guard,
    files,
    uploads: new UploadFile(new PostgresMedia(pool), files),
    inboxImports: new PostgresInboxImports(pool),
    workspaceStore,
    keyStore,
    memberStore,
    connectionStore,
    runtime,
    webhookStore,
    conversationStore: new PostgresConversations(pool),
    linkStore: new PostgresLinks(pool),
    chats: new PostgresChats(pool),
    addresses: new Addresses(platforms),
    webhookLists: new PostgresWebhookLists(pool),
    workspaces: new ManageWorkspaces(workspaceStore, new Argon2Passwords()),
    keys: new ManageApiKeys(keyStore, workspaceStore),
    members: new ManageMembers(memberStore, new PostgresSecondSteps(pool, secrets), publicUrl, log),
    connections: new ManageConnections(platforms, connectionStore, runtime, guard),
    webhooks: {
      create: new CreateWebhook(webhookStore, guard),
      update: new UpdateWebhook(webhookStore, guard),
      remove: new DeleteWebhook(webhookStore),
      rotate: new RotateSecret(webhookStore),
    },
  };
}
