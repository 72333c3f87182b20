import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';

/** Range of user ids that systemd uses for services without an account. Distributions give none of these ids to accounts. */
const [FIRST, LAST] = [61_184, 65_519];

/**
 * A user id for the server of `root` that no account and no process has. It is the same one at each start if possible. Processes
 * of the same user can read the server's files and memory, so the server shares its user with no other process.
 */
export async function ownUserId(root: string): Promise<number> {
  const taken = new Set([...(await accounts()).map(({ uid }) => uid), ...(await usersOfProcesses())]);
  const start = createHash('sha256').update(root).digest().readUInt32BE();
  for (let offset = 0; offset <= LAST - FIRST; offset += 1) {
    const uid = FIRST + ((start + offset) % (LAST - FIRST + 1));
    if (!taken.has(uid)) return uid;
  }
  throw new Error('Every user id for services is taken.');
}

export function isOwnUserId(uid: number): boolean {
  return uid >= FIRST && uid <= LAST;
}

/** An account of the system without processes. initdb needs a user with a name. */
export async function idleAccount(): Promise<{ uid: number; gid: number } | undefined> {
  const busy = await usersOfProcesses();
  return (await accounts()).find(({ uid }) => uid !== 0 && !busy.has(uid));
}

async function accounts(): Promise<{ uid: number; gid: number }[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7)
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }));
}

async function usersOfProcesses(): Promise<Set<number>> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  // A process may end in the meantime.
  const found = await Promise.all(names.map((name) => stat(`/proc/${name}`).catch(() => undefined)));
  return new Set(found.filter((each) => each !== undefined).map(({ uid }) => uid));
}
