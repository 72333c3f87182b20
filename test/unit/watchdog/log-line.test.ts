import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lineWriter } from '../../../src/watchdog/log-line.js';

it('Lines of the watchdog go to the log file of a service that has one.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-log-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'trunkline.log');
  const write = lineWriter('api,worker', file);
  write('error', { blocked_ms: 2_000 }, 'process.blocked');
  write('warn', {}, 'watchdog.failed');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', role: 'api,worker', pid: process.pid, blocked_ms: 2_000, msg: 'process.blocked' },
    { level: 'warn', msg: 'watchdog.failed' },
  ]);
});
