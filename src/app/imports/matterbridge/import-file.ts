import type { Change } from '../../apply/change.js';
import { labelOf } from '../../apply/connections.js';
import type { Management } from '../../apply/management.js';
import { makePlan } from '../../apply/plan.js';
import { SpecError } from '../../apply/read-spec.js';
import { Secrets } from '../../apply/secrets.js';
import type { ConnectionSpec, Spec } from '../../apply/spec.js';
import { type Target, targetOf } from '../workspace.js';
import { type Additions, type PlannedAccount, planAccounts } from './accounts.js';
import { PERSONA_OPTIONS } from './chats.js';
import { type Configuration, configurationOf, optionsOf } from './configuration.js';
import {
  type ConversationPlanning,
  connectionKey,
  makeConversation,
  type PlannedConversation,
  planConversations,
} from './conversations.js';
import { type LeftOption, leftOption } from './options.js';
import { readToml } from './read-file.js';

export interface MatterbridgeImport {
  readonly file: string;
  readonly workspace: string | undefined;
  readonly additions: Additions;
  readonly dryRun: boolean;
}

/** The changes that were made. In a dry run, the changes that would be made. */
export interface MatterbridgeResult {
  readonly target: Target;
  readonly accounts: readonly (PlannedAccount & {
    readonly status: 'create' | 'change' | 'unchanged' | 'skipped';
  })[];
  readonly conversations: readonly PlannedConversation[];
  readonly options: readonly LeftOption[];
  /** Options of the import whose account or channel is not in the file. */
  readonly unknown: readonly string[];
}

/**
 * Creates connections for accounts and linked conversations for gateways. A second run finds both by their names. Raises
 * ImportError before anything is changed when the file can't be read.
 */
export async function importMatterbridge(
  management: Management,
  { file, workspace, additions, dryRun }: MatterbridgeImport,
): Promise<MatterbridgeResult> {
  const configuration = configurationOf(await readToml(file));
  const target = await targetOf(management, workspace);
  const existing = await management.connectionStore.all(target.workspace.id);
  const accounts = await planAccounts(configuration, { management, existing, additions });
  const changes = await planChanges(management, target, accounts);
  if (!dryRun) for (const change of changes) await change.perform();
  const planning: ConversationPlanning = {
    management,
    target,
    additions,
    accounts,
    connections: await connectionIds(management, target),
  };
  const conversations = await planConversations(configuration, planning);
  if (!dryRun) for (const each of conversations) await makeConversation(each, planning);
  return {
    target,
    accounts: accounts.map((each) => ({ ...each, status: statusOf(each, changes) })),
    conversations,
    options: leftOptions(configuration, accounts),
    unknown: unknownAdditions(configuration, additions),
  };
}

async function connectionIds(management: Management, { workspace }: Target) {
  const all = await management.connectionStore.all(workspace.id);
  return new Map(all.map(({ id, platform, name }) => [connectionKey(platform, name), id]));
}

/** Plans the changes that `trunkline apply` would make for a file with only these connections. */
function planChanges(
  management: Management,
  { workspace }: Target,
  accounts: readonly PlannedAccount[],
): Promise<Change[]> {
  const values = new Map<string, string>();
  const connections = accounts.flatMap(({ connection }) =>
    connection === undefined ? [] : [referring(connection, values)],
  );
  const spec: Spec = {
    version: 1,
    workspaces: [{ name: workspace.name, id: workspace.id, connections }] as Spec['workspaces'],
  };
  return makePlan({
    management,
    secrets: new Secrets((name) => values.get(name), '.'),
    file: 'matterbridge',
    read: {
      spec,
      problemAt: (path, message) => new SpecError('matterbridge', [`: ${path.join('.')}: ${message}`]),
    },
    prune: new Set(),
  });
}

/** Replaces secrets by references, as in a file of `trunkline apply`. */
function referring(connection: ConnectionSpec, values: Map<string, string>): ConnectionSpec {
  const credentials = Object.entries(connection.credentials).map(([field, value]) => {
    if (typeof value !== 'string') return [field, value] as const;
    const name = `value${values.size}`;
    values.set(name, value);
    return [field, `\${ENV:${name}}`] as const;
  });
  return { ...connection, credentials: Object.fromEntries(credentials) };
}

function statusOf({ connection }: PlannedAccount, changes: readonly Change[]) {
  if (connection === undefined) return 'skipped' as const;
  const change = changes.find(({ name }) => name === labelOf(connection));
  return change === undefined ? 'unchanged' : change.action === 'create' ? 'create' : 'change';
}

/** All options that have no counterpart. */
function leftOptions({ loose, gateways }: Configuration, accounts: readonly PlannedAccount[]): LeftOption[] {
  const own = accounts.flatMap(({ account, platform, used }) =>
    optionsOf(account.label, account.options).filter(({ path }) => {
      const name = path.slice(account.label.length + 1).toLowerCase();
      return (
        !used.has(name) && !(platform === 'discord' && PERSONA_OPTIONS.has(name) && name !== 'webhookurl')
      );
    }),
  );
  const discord = new Set(
    accounts.filter(({ platform }) => platform === 'discord').map(({ account }) => account.key),
  );
  const ofChannels = gateways
    .flatMap(({ channels }) => channels)
    .flatMap(({ account, path, options }) =>
      optionsOf(`${path}.options`, options).filter(
        (each) => !(discord.has(account) && each.path.toLowerCase().endsWith('.webhookurl')),
      ),
    );
  return [...own, ...loose, ...ofChannels].map(leftOption);
}

function unknownAdditions({ accounts, gateways }: Configuration, additions: Additions): string[] {
  const keys = new Set(accounts.map(({ key }) => key));
  const channels = new Set(
    gateways.flatMap((gateway) => gateway.channels.map(({ account, channel }) => `${account}/${channel}`)),
  );
  return [
    ...[...additions.names.keys(), ...additions.credentials.keys()].filter((key) => !keys.has(key)),
    ...[...additions.channels.keys()].filter((key) => !channels.has(key)),
  ];
}
