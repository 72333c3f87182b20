import { execFileSync } from 'node:child_process';
import { arch, availableParallelism, cpus, totalmem, type } from 'node:os';

/** The machine of the measurement. */
export function describeMachine() {
  return [
    `${cpus()[0]?.model.trim() || 'unknown processor'}, ${availableParallelism()} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `${type()} ${arch()}`,
    `Node ${process.version.slice(1)}`,
    `commit ${commit()}`,
  ].join(', ');
}

function commit() {
  try {
    const hash = git('rev-parse', '--short', 'HEAD');
    return git('status', '--porcelain') === '' ? hash : `${hash} with changes`;
  } catch (error) {
    // An unpacked archive has no commits.
    return `unknown (${error.code ?? 'no repository'})`;
  }
}

function git(...args) {
  const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync('git', args, options).trim();
}
