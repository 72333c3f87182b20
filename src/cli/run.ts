import { parseArgs } from 'node:util';
import { ConfigurationError, readConfig } from '../config.js';
import { BootstrapError } from '../core/workspaces/bootstrap.js';
import {
  DatabaseInUseError,
  DatabaseUnreachableError,
  DatabaseUnsupportedError,
  EmbeddedDatabaseError,
} from '../store/errors.js';
import { MasterKeyInvalidError, MasterKeyMismatchError } from '../store/secrets/errors.js';
import { version } from '../version.js';
import { UsageError } from './usage-error.js';

const USAGE = `Usage: trunkline [command]

  start [--simulators]     migrate and serve (default); with the four simulators beside it
  demo                     the main job on the four simulators, from start to end
  simulate telegram|discord|slack|twilio [--port <n>] [--control-port <n>] [--seed <n>]
                           one simulated platform alone, for tests of any bot
  migrate                  bring the database up to date
  healthcheck              exit 0 if the running service is ready
  version                  print the version
  keys create --user <email> --name <name> --scopes <a,b|all> [--rate-limit <n>] [--test]
  keys generate [--test]   print a fresh key for TRUNKLINE_BOOTSTRAP_API_KEY; nothing is stored
  keys revoke <id>
  users reset-password <email>     reads the password from standard input
  users export <id>        print what is known about a user, a line of JSON per record
  workspaces create --name <name> --owner-email <email>     the same
  adapter new <platform> [--dir <folder>]     write the beginning of an adapter package
  listen [--forward-to <url>] [--events <list>] [--url <base>] [--key <key>] [--secret <whsec>]
                           show events as they happen, and bring them to a server on your machine
  webhooks verify --secret <whsec> --header <"name: value"> … [--tolerance <seconds>]
                           check the signature of a body on standard input
`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const SUCCESS = 0;
const FAILURE = 1;
const USAGE_CODE = 2;
const DATABASE_CODE = 3;

/** Runs one command and resolves with its exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    return await dispatch(args);
  } catch (error) {
    const [code, hint] = codeOf(error);
    process.stderr.write(`trunkline: ${error instanceof Error ? error.message : String(error)}${hint}\n`);
    return code;
  }
}

function codeOf(error: unknown): [number, string] {
  if (error instanceof UsageError) return [USAGE_CODE, `\n\n${USAGE}`];
  const wrongSetup =
    error instanceof ConfigurationError ||
    error instanceof BootstrapError ||
    error instanceof MasterKeyInvalidError ||
    error instanceof MasterKeyMismatchError;
  if (wrongSetup) return [USAGE_CODE, ''];
  const database =
    error instanceof DatabaseUnreachableError ||
    error instanceof DatabaseUnsupportedError ||
    error instanceof DatabaseInUseError ||
    error instanceof EmbeddedDatabaseError;
  return [database ? DATABASE_CODE : FAILURE, ''];
}

async function dispatch(args: string[]): Promise<number> {
  const [command = 'start', ...rest] = args;
  switch (command) {
    case 'start':
    case '--simulators':
      return (await import('./start.js')).startCommand(
        flags(command === 'start' ? rest : args, ['simulators']),
      );
    case 'demo':
      flags(rest, []);
      return (await import('./demo/demo.js')).demoCommand();
    case 'simulate':
      return (await import('./simulate/simulate.js')).simulateCommand(rest);
    case 'migrate':
      flags(rest, []);
      return (await import('./migrate.js')).migrateCommand(readConfig());
    case 'healthcheck':
      flags(rest, []);
      return (await import('./healthcheck.js')).healthcheck(readConfig());
    case 'version':
    case '--version':
      flags(rest, []);
      process.stdout.write(`${version}\n`);
      return SUCCESS;
    case 'help':
    case '--help':
      process.stdout.write(USAGE);
      return SUCCESS;
    case 'keys':
      return keys(rest);
    case 'users':
      return users(rest);
    case 'workspaces':
      return workspaces(rest);
    case 'adapter':
      return adapter(rest);
    case 'listen':
    case 'webhooks':
      return (await import('./developer-tools.js')).developerTool(command, rest);
    default:
      throw new UsageError(`There is no command "${command}".`);
  }
}

async function users([action, whom, ...rest]: string[]): Promise<number> {
  if (!['reset-password', 'export'].includes(action ?? '') || whom === undefined || rest.length > 0)
    throw new UsageError('Say users reset-password <email> or users export <id>.');
  const { exportUserData, resetPassword } = await import('./users.js');
  if (action === 'reset-password') return resetPassword(readConfig(), whom);
  if (!UUID.test(whom)) throw new UsageError('The id of a user is a UUID.');
  return exportUserData(readConfig(), whom.toLowerCase());
}

function flags(args: string[], known: readonly string[]): Set<string> {
  const options = Object.fromEntries(known.map((name) => [name, { type: 'boolean' as const }]));
  try {
    const { values } = parseArgs({ args, options, allowPositionals: false });
    return new Set(Object.keys(values));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function keys([action, ...rest]: string[]): Promise<number> {
  const { createKey, generateKey, revokeKey } = await import('./keys.js');
  if (action === 'generate') return generateKey(flags(rest, ['test']).has('test'));
  const [id, ...more] = rest;
  if (action === 'revoke' && id !== undefined && more.length === 0) return revokeKey(readConfig(), id);
  if (action !== 'create') throw new UsageError('Say keys create, keys generate or keys revoke <id>.');
  return createKey(readConfig(), keyOptions(rest));
}

function keyOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        user: { type: 'string' },
        name: { type: 'string' },
        scopes: { type: 'string' },
        'rate-limit': { type: 'string' },
        test: { type: 'boolean', default: false },
      },
    });
    const { user, name, scopes } = values;
    if (user === undefined || name === undefined || scopes === undefined) {
      throw new Error('keys create needs --user, --name and --scopes.');
    }
    return { user, name, scopes, rateLimit: values['rate-limit'], test: values.test };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function adapter([action, ...args]: string[]): Promise<number> {
  const { positionals, values } = adapterOptions(args);
  const [platform] = positionals;
  if (action !== 'new' || platform === undefined || positionals.length > 1)
    throw new UsageError('Say adapter new <platform>.');
  return (await import('./new-adapter/new-adapter.js')).newAdapter(platform, values.dir);
}

function adapterOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { dir: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function workspaces([action, ...args]: string[]): Promise<number> {
  if (action !== 'create') throw new UsageError('Say workspaces create.');
  const { createWorkspace } = await import('./workspaces.js');
  return createWorkspace(readConfig(), workspaceOptions(args));
}

function workspaceOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: { name: { type: 'string' }, 'owner-email': { type: 'string' } },
    });
    const { name, 'owner-email': email } = values;
    if (name === undefined || email === undefined)
      throw new Error('workspaces create needs --name and --owner-email.');
    return { name, email };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
