import { readFile } from 'node:fs/promises';
import { end, start } from './processes.mjs';

const MARK = '=== block';
const LIMIT_MS = 300_000;

/**
 * Follows a page: runs its `sh` blocks in order in one shell. The output of a block must contain the lines of the `text`
 * block that follows it. Throws an error that names the block that failed.
 */
export async function follow(page, cwd) {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```(sh|text)\n(.*?)^```$/gms)];
  const script = ['set -e'];
  const expected = [];
  for (const [, kind, body] of blocks) {
    if (kind === 'text') expected.at(-1)?.push(...body.trim().split('\n'));
    else {
      script.push(body, `echo; echo '${MARK} ${expected.length} done'`);
      expected.push([]);
    }
  }
  const printed = [[]];
  const shell = start('bash', ['-c', `${script.join('\n')}`], {
    cwd,
    env: { ...process.env, CI: 'true' },
    onLine: (line) => (line.startsWith(MARK) ? printed.push([]) : printed.at(-1).push(line)),
  });
  const timer = setTimeout(() => shell.child.kill('SIGKILL'), LIMIT_MS);
  await shell.exited;
  clearTimeout(timer);
  // Stops what the blocks started in the background.
  end(shell);
  for (const [index, lines] of expected.entries()) {
    const output = printed[index]?.join('\n') ?? '';
    if (printed.length <= index + 1)
      throw new Error(`Block ${index + 1} of ${page} failed:\n${output.slice(-4_000)}`);
    for (const line of lines) {
      if (!output.includes(line))
        throw new Error(`Block ${index + 1} of ${page} did not print ${line}:\n${output}`);
    }
  }
  return expected.length;
}
