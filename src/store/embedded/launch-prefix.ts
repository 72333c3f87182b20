import { spawnSync } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError } from '../errors.js';
import { idleAccount, isOwnUserId, ownUserId } from './own-user.js';
import { serverEnvironment } from './server-environment.js';

/** How PostgreSQL is started: the words before its command line, and who its files belong to. */
export interface LaunchPrefix {
  command: string[];
  /** Owner of the files, or undefined when it is the user who runs this process. */
  owner: { uid: number; gid: number } | undefined;
}

/** The user that systems share among what needs no rights. */
const NOBODY_UID = 65534;
/** A name that initdb and the server find for their user inside a namespace. */
const NAMED_INSIDE = 65534;

// The server gets SIGINT (fast shutdown) from the kernel when the thread that started it dies.
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

const USER_NAMESPACE = ['unshare', '-U', `--map-user=${NAMED_INSIDE}`, `--map-group=${NAMED_INSIDE}`, '--'];

/**
 * Chooses how to start PostgreSQL, which refuses to run as root, on the directory `root`.
 *
 * As root the candidates are tried in turn and the first that runs the program and can write into the
 * directory is taken. May change the owner of `root` and of what is in it.
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
  // A cluster keeps its owner if it can, so that no start has to walk through all files.
  const cluster = await stat(join(root, 'data')).catch(() => undefined);
  if (cluster === undefined) return [own, namespace];
  if (cluster.uid === 0) return [namespace, own];
  // Earlier versions ran it as the user `nobody`, whose other processes could reach it.
  if (cluster.uid === NOBODY_UID) return [own, namespace];
  return [asUser(cluster.uid, cluster.gid), own, namespace];
}

/**
 * How to run initdb, which unlike the server needs a user with a name: the prefixes to try, the second one as an account without
 * processes, whose files are given to the server's user afterwards.
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

/** Undefined when the prefix works, else one line of why it does not. */
function tryPrefix(prefix: LaunchPrefix, postgres: string, root: string): string | undefined {
  // Written through the same prefix, because traversing the parent folders needs rights as well.
  const script = '"$0" --version >/dev/null && touch "$1/.probe" && rm -f "$1/.probe"';
  const [command = 'sh', ...rest] = [...prefix.command, 'sh', '-c', script, postgres, root];
  const result = spawnSync(command, rest, { encoding: 'utf8', env: serverEnvironment });
  if (result.status === 0) return undefined;
  return result.error?.message ?? (result.stderr.trim().split('\n')[0] || `exit ${result.status}`);
}

/** Gives one file or folder to the owner of the prefix; nothing to do without one. */
export async function giveTo(path: string, owner: LaunchPrefix['owner']): Promise<void> {
  if (owner) await chown(path, owner.uid, owner.gid);
}

/** Gives a folder and everything in it to the owner of the prefix, unless it is theirs or is not there. */
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
