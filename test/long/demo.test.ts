import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const PLATFORMS = ['telegram', 'discord', 'slack', 'sms'];

/** A separate folder, because other tests run their stages at the same time. */
let temporary: string;

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'demo-'));
  await chmod(temporary, 0o711);
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

function startDemo() {
  const child = spawn(process.execPath, ['bin/trunkline.mjs', 'demo'], {
    cwd: REPOSITORY,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, output: text(child.stdout), closed: once(child, 'close') };
}

describe('the demo', () => {
  test('shows the main use on every platform, checks it and cleans up', async () => {
    const { output, closed } = startDemo();
    const [code] = await closed;
    const said = await output;

    expect(said).not.toContain('FAIL');
    expect(code).toBe(0);
    for (let step = 1; step <= 8; step += 1) expect(said).toContain(`[${step}/8]`);
    const rows = said.split('\n').filter((line) => PLATFORMS.some((name) => line.startsWith(`│ ${name} `)));
    expect(rows).toHaveLength(PLATFORMS.length);
    for (const row of rows) expect(row).toMatch(/ 54 │ +\d+ │ +\d+ │ +\d+ │ +0 │$/);
    expect(await readdir(temporary)).toEqual([]);
  });

  test('leaves nothing behind when it is interrupted', async () => {
    const { child, output, closed } = startDemo();
    const address = new Promise<RegExpExecArray>((resolve) => {
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
        const found = /a process of its own \((\d+)\)/.exec(said);
        if (found) resolve(found);
      });
    });
    const service = Number((await address)[1]);
    child.kill('SIGINT');
    const [code] = await closed;

    expect(code).toBe(130);
    expect(await output).toContain('Interrupted');
    expect(await readdir(temporary)).toEqual([]);
    expect(isAlive(service)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
