import { withManagement } from '../app/apply/management.js';
import { SecretMissingError, Secrets } from '../app/apply/secrets.js';
import type { Additions } from '../app/imports/matterbridge/accounts.js';
import { importMatterbridge } from '../app/imports/matterbridge/import-file.js';
import { describeResult, resultRecord } from '../app/imports/matterbridge/report.js';
import { ImportError } from '../app/imports/problem.js';
import { type Config, namedVariable } from '../config.js';
import { UsageError } from './usage-error.js';

export interface ImportMatterbridgeOptions {
  readonly workspace?: string;
  readonly connection: readonly string[];
  readonly credential: readonly string[];
  readonly channel: readonly string[];
  readonly disabled: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Creates the connections and linked conversations of a matterbridge.toml. */
export async function importMatterbridgeCommand(
  config: Config,
  file: string,
  options: ImportMatterbridgeOptions,
): Promise<number> {
  const { workspace, dryRun, json } = options;
  const additions = await additionsOf(options);
  try {
    const result = await withManagement(config, (management) =>
      importMatterbridge(management, { file, workspace, additions, dryRun }),
    );
    if (json) process.stdout.write(`${JSON.stringify(resultRecord(result, dryRun), null, 2)}\n`);
    else process.stdout.write(`${dryRun ? 'Dry run: nothing was changed.\n' : ''}${describeResult(result)}`);
    return 0;
  } catch (error) {
    if (error instanceof ImportError) throw new UsageError(error.message);
    throw error;
  }
}

async function additionsOf(options: ImportMatterbridgeOptions): Promise<Additions> {
  const names = new Map(options.connection.map((each) => named('connection', each, 'ACCOUNT=NAME')));
  const channels = new Map(options.channel.map((each) => chat(each)));
  const credentials = new Map<string, Record<string, unknown>>();
  const secrets = new Secrets(namedVariable, process.cwd());
  for (const each of options.credential) {
    const [path, reference] = named('credential', each, 'ACCOUNT.FIELD=ENV:NAME');
    const dot = path.lastIndexOf('.');
    const account = path.slice(0, dot);
    if (dot < 1 || !/^(ENV|FILE):/.test(reference))
      throw new UsageError('--credential has the form ACCOUNT.FIELD=ENV:NAME or ACCOUNT.FIELD=FILE:path.');
    const value = await secretOf(secrets, reference);
    credentials.set(account, { ...credentials.get(account), [path.slice(dot + 1)]: value });
  }
  return { names, channels, credentials, disabled: options.disabled };
}

/** Splits `name=value`. The name becomes lower case, because names of accounts are compared in lower case. */
function named(option: string, text: string, form: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError(`--${option} has the form ${form}.`);
  return [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

/** Splits `account/channel=id`. The account becomes lower case, and the channel stays as it is. */
function chat(text: string): readonly [string, string] {
  const at = text.lastIndexOf('=');
  const slash = text.indexOf('/');
  if (slash < 1 || at < slash + 2 || at === text.length - 1)
    throw new UsageError('--channel has the form ACCOUNT/CHANNEL=ID.');
  return [`${text.slice(0, slash).toLowerCase()}${text.slice(slash, at)}`, text.slice(at + 1)];
}

async function secretOf(secrets: Secrets, reference: string): Promise<string> {
  try {
    return await secrets.valueOf(`\${${reference}}`);
  } catch (error) {
    if (error instanceof SecretMissingError) throw new UsageError(error.message);
    throw error;
  }
}
