import type { AdapterDefinition } from '../../../contract/index.js';
import { AppError, type FieldProblem } from '../../../core/common/errors.js';
import { parseConfiguration, refuseUnknownNames } from '../../../core/platforms/configuration.js';
import type { ConnectionRecord } from '../../../core/platforms/record.js';
import type { Management } from '../../apply/management.js';
import type { ConnectionSpec } from '../../apply/spec.js';
import type { Account, Configuration } from './configuration.js';
import { type Mapped, mapped, platformOf } from './credentials.js';

type Values = Readonly<Record<string, unknown>>;

/** Options of the import that complete the file. Names of accounts are in lower case. */
export interface Additions {
  /** Names of connections by account. */
  readonly names: ReadonlyMap<string, string>;
  /** Credentials that the file lacks, by account. */
  readonly credentials: ReadonlyMap<string, Values>;
  /** Ids of chats that the file identifies by name. The key is `account/channel`. */
  readonly channels: ReadonlyMap<string, string>;
  /** Whether connections are created disabled. */
  readonly disabled: boolean;
}

/** The plan for an account. */
export interface PlannedAccount {
  readonly account: Account;
  readonly platform: string;
  readonly name: string;
  /** Undefined when the account is left out because of `reason`. */
  readonly connection: ConnectionSpec | undefined;
  readonly reason: string | undefined;
  /** Steps that remain for the operator. */
  readonly todo: readonly string[];
  readonly used: ReadonlySet<string>;
}

interface Planning {
  readonly management: Management;
  readonly existing: readonly ConnectionRecord[];
  readonly additions: Additions;
}

/** Plans a connection for each account that an enabled gateway uses. */
export async function planAccounts(file: Configuration, planning: Planning): Promise<PlannedAccount[]> {
  const names = channelNames(file);
  const planned: PlannedAccount[] = [];
  for (const account of file.accounts) planned.push(await plan(account, names.get(account.key), planning));
  return planned;
}

/** The channels of each account in enabled gateways. */
function channelNames({ gateways }: Configuration): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { account, channel } of gateways.flatMap(({ enabled, channels }) => (enabled ? channels : [])))
    names.set(account, [...new Set([...(names.get(account) ?? []), channel])]);
  return names;
}

async function plan(
  account: Account,
  channels: readonly string[] | undefined,
  { management, existing, additions }: Planning,
): Promise<PlannedAccount> {
  const platform = platformOf(account.protocol);
  const name = additions.names.get(account.key) ?? account.name;
  const left = (reason: string, used: Mapped['used'] = new Set()): PlannedAccount => ({
    account,
    platform,
    name,
    connection: undefined,
    reason,
    todo: [],
    used,
  });
  if (account.protocol === 'api') return left('The REST API of Trunkline takes its place.');
  const definition = management.platforms.of('live').find((each) => each.platform === platform);
  if (definition === undefined) return left(`No adapter for ${platform} is installed.`);
  if (channels === undefined) return left('No enabled gateway uses it.');
  const { used, ...values } = mapped(account, definition, channels);
  const credentials = { ...values.credentials, ...additions.credentials.get(account.key) };
  const found = existing.find((each) => each.platform === platform && each.name === name);
  const fit = await fitting(management, definition, { credentials, settings: values.settings }, found);
  if ('problem' in fit) return left(advice(account, fit.problem), used);
  return {
    account,
    platform,
    name,
    // Keep the settings of an existing connection, because users may have changed them.
    connection:
      found === undefined
        ? { name, platform, enabled: !additions.disabled, credentials, settings: fit.settings }
        : { name, platform, credentials },
    reason: undefined,
    todo:
      fit.ingress === 'webhook'
        ? [`Register the address of the connection as webhook at ${definition.displayName}.`]
        : [],
    used,
  };
}

type Fit = { readonly settings: Values; readonly ingress: unknown } | { readonly problem: FieldProblem };

/** The first ingress method for which the values are sufficient. */
async function fitting(
  management: Management,
  definition: AdapterDefinition,
  { credentials, settings }: { readonly credentials: Values; readonly settings: Values },
  found: ConnectionRecord | undefined,
): Promise<Fit> {
  const before = found === undefined ? undefined : await management.runtime.configured(found.id);
  // Ignore chats that no gateway names, as matterbridge does.
  const common = { unlinked_chats: 'ignore', ...settings };
  const tries: readonly Values[] =
    before === undefined
      ? definition.ingress.map((ingress) => ({ ...common, ingress }))
      : [before.settings as Values];
  let first: FieldProblem | undefined;
  for (const each of tries) {
    const problem = problemOf(definition, { ...before?.credentials, ...credentials }, each);
    if (problem === undefined) return { settings: each, ingress: each.ingress };
    first ??= problem;
  }
  return {
    problem: first ?? {
      field: 'settings',
      code: 'unsupported',
      message: 'No ingress method fits its values.',
    },
  };
}

function problemOf(
  definition: AdapterDefinition,
  credentials: Values,
  settings: Values,
): FieldProblem | undefined {
  try {
    refuseUnknownNames(definition, { credentials, settings });
    parseConfiguration(definition, credentials, settings);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [problem] = (error.details?.fields ?? []) as readonly FieldProblem[];
    return problem ?? { field: 'credentials', code: 'invalid_value', message: error.message };
  }
}

function advice({ label }: Account, { field, message }: FieldProblem): string {
  const problem = `${field}: ${message.replace(` (${field})`, '')}`;
  if (!field.startsWith('credentials.')) return problem;
  const name = field.slice('credentials.'.length);
  return `${problem} Give --credential ${label}.${name}=ENV:NAME, or make the connection in the dashboard under the same name.`;
}
