import { spawnSync } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError } from '../errors.js';
import { idleAccount, isOwnUserId, ownUserId } from './own-user.js';
import { serverEnvironment } from './server-environment.js';

/** How PostgreSQL is started: the words before its command line, and the owner of its files. */
export interface LaunchPrefix {
  command: string[];
  /** Owner of the files. Undefined when it is the user of this process. */
  owner: { uid: number; gid: number } | undefined;
}

/** The user `nobody`, which systems share among programs that need no rights. */
const NOBODY_UID = 65534;
/** User id inside a namespace. initdb and the server find a user name for it. */
const NAMED_INSIDE = 65534;

// The server gets SIGINT (fast shutdown) from the kernel when the thread that started it dies.
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

const USER_NAMESPACE = ['unshare', '-U', `--map-user=${NAMED_INSIDE}`, `--map-group=${NAMED_INSIDE}`, '--'];

/**
 * Chooses how to start PostgreSQL, which refuses to run as root, on the directory `root`.
 *
 * As root, the candidates are tried in turn. The first one that can run the program and write into the directory is used. May
 * change the owner of `root` and of its contents.
 */
export async function chooseLaunchPrefix(postgres: string, root: string): Promise<LaunchPrefix> {
  if (process.getuid?.() !== 0) return ordinaryUserPrefix();
  const failures: string[] = [];
  for (const prefix of await rootCandidates(root)) {
    await giveTo(root, prefix.owner);
    const failure = tryPrefix(prefix, postgres, root);
    if (failure === undefined) {
      await giveTreeTo(join(root, 'data'), prefix.owner);
      return prefix;
    }
    failures.push(`${prefix.command[0]}: ${failure}`);
  }
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL can't run as root, and no other user works on ${root} (${failures.join('; ')}). ` +
      'Run Trunkline as an ordinary user, or set DATABASE_URL.',
  );
}

function ordinaryUserPrefix(): LaunchPrefix {
  const hasSetpriv =
    spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { env: serverEnvironment }).status === 0;
  return { command: hasSetpriv ? [...DIE_WITH_PARENT, '--'] : [], owner: undefined };
}

async function rootCandidates(root: string): Promise<LaunchPrefix[]> {
  const uid = await ownUserId(root);
  const own = asUser(uid, uid);
  const namespace = {
    command: [...USER_NAMESPACE, ...DIE_WITH_PARENT, '--'],
    owner: { uid: 0, gid: 0 },
  };
  // A cluster keeps its owner if possible, so that a start does not have to change the owner of all files.
  const cluster = await stat(join(root, 'data')).catch(() => undefined);
  if (cluster === undefined) return [own, namespace];
  if (cluster.uid === 0) return [namespace, own];
  // Earlier versions ran the server as the user `nobody`, and other processes of that user could reach the server.
  if (cluster.uid === NOBODY_UID) return [own, namespace];
  return [asUser(cluster.uid, cluster.gid), own, namespace];
}

/**
 * Prefixes to try for initdb, which needs a user with a name, unlike the server. The second prefix uses an account without
 * processes, and its files are given to the server's user afterwards.
 */
export async function initdbPrefixes(prefix: LaunchPrefix): Promise<LaunchPrefix[]> {
  if (prefix.owner === undefined || !isOwnUserId(prefix.owner.uid)) return [prefix];
  const named = { command: [...prefix.command, ...USER_NAMESPACE], owner: prefix.owner };
  const account = await idleAccount();
  return account === undefined ? [named] : [named, asUser(account.uid, account.gid)];
}

function asUser(uid: number, gid: number): LaunchPrefix {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return { command: [...DIE_WITH_PARENT, ...identity, '--'], owner: { uid, gid } };
}

/** Undefined when the prefix works, else one line with the reason. */
function tryPrefix(prefix: LaunchPrefix, postgres: string, root: string): string | undefined {
  // The file is written through the same prefix, because access to the parent folders needs rights as well.
  const script = '"$0" --version >/dev/null && touch "$1/.probe" && rm -f "$1/.probe"';
  const [command = 'sh', ...rest] = [...prefix.command, 'sh', '-c', script, postgres, root];
  const result = spawnSync(command, rest, { encoding: 'utf8', env: serverEnvironment });
  if (result.status === 0) return undefined;
  return result.error?.message ?? (result.stderr.trim().split('\n')[0] || `exit ${result.status}`);
}

/** Gives one file or folder to the owner of the prefix. Does nothing without an owner. */
export async function giveTo(path: string, owner: LaunchPrefix['owner']): Promise<void> {
  if (owner) await chown(path, owner.uid, owner.gid);
}

/**
 * Gives a folder and its contents to the owner of the prefix. Does nothing when that user already owns it or when it does not
 * exist.
 */
export async function giveTreeTo(folder: string, owner: LaunchPrefix['owner']): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!owner || !found || found.uid === owner.uid) return;
  const result = spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder], {
    encoding: 'utf8',
    env: serverEnvironment,
  });
  if (result.status !== 0) {
    throw new EmbeddedDatabaseError(`The owner of ${folder} can't be changed: ${result.stderr.trim()}`);
  }
}
