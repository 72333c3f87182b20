import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'trunkline-check';

/**
 * Where the tests run as an ordinary user: in a copy of the tree that belongs to the user, who is made for it when this process is
 * root's. Returns the folder, what a command begins with, and how to remove the user.
 */
export function ordinaryUser(work) {
  if (process.getuid() !== 0) return { cwd: process.cwd(), prefix: [], remove: () => undefined };
  const home = join(work, 'home');
  const added = !exists(NAME);
  if (added) run('useradd', '--create-home', '--home-dir', home, '--shell', '/bin/bash', NAME);
  // A user that an interrupted run left behind has the home of that run.
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
