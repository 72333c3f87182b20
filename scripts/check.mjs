// Runs the checks of the sources in parallel, and fails when one of them fails. `npm run check`.
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

const CHECKS = ['types', 'style', 'imports', 'regexps', 'sql', 'unused', 'words'];

/** Runs a check and prints its output. Resolves with whether it passed. */
async function run(name) {
  const child = spawn('npm', ['run', '--silent', `check:${name}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, out, err] = await Promise.all([exited, buffer(child.stdout), buffer(child.stderr)]);
  process.stdout.write(`\n> check:${name} ${code === 0 ? 'passed' : 'FAILED'}\n`);
  process.stdout.write(out);
  process.stderr.write(err);
  return code === 0;
}

const passed = await Promise.all(CHECKS.map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
