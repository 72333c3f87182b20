import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'trunkline-check';

/**
 * Prepares a run of the tests as an ordinary user. If this process runs as root, it creates the user and a copy of the tree that
 * the user owns. Returns the folder, the prefix of each command, and a function that removes the user.
 */
export function ordinaryUser(work) {
  if (process.getuid() !== 0) return { cwd: process.cwd(), prefix: [], remove: () => undefined };
  const home = join(work, 'home');
  const added = !exists(NAME);
  if (added) run('useradd', '--create-home', '--home-dir', home, '--shell', '/bin/bash', NAME);
  // A user that an interrupted run left has that run's home, so this one does not exist yet.
  mkdirSync(home, { recursive: true });
  const tree = join(work, 'tree');
  mkdirSync(tree);
  run('sh', '-c', `tar -c --exclude=./dist --exclude=./data --exclude=./.git . | tar -x -C '${tree}'`);
  run('chown', '-R', `${NAME}:`, home, tree);
  const id = (option) => execFileSync('id', [option, NAME], { encoding: 'utf8' }).trim();
  return {
    cwd: tree,
    prefix: [
      ...['setpriv', `--reuid=${id('-u')}`, `--regid=${id('-g')}`, '--clear-groups'],
      ...['env', `HOME=${home}`, `PATH=${process.env.PATH}`],
    ],
    remove: () => added && run('userdel', NAME),
  };
}

function exists(name) {
  try {
    execFileSync('id', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function run(program, ...args) {
  execFileSync(program, args, { stdio: 'inherit' });
}
