import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Runs a script with the built program and its stack traces. Returns its output. */
function stackOf(failing: string): string {
  const script = `
    const { buildProgram } = await import('${new URL('../../../scripts/build.mjs', import.meta.url)}');
    await buildProgram();
    const built = (path) => import('${new URL('../../../dist/src/', import.meta.url)}' + path);
    (await import('${new URL('../../../bin/stack-traces.mjs', import.meta.url)}')).mapStackTraces();
    try { ${failing} } catch (error) { console.log(error.stack); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim();
}

it('A stack trace of the built program names the lines of the sources', () => {
  const [headline, first = ''] = stackOf("(await built('config.js')).readConfig({ PORT: 'x' });").split('\n');
  expect(headline).toBe('ConfigurationError: PORT must be a port number from 0 to 65535');
  const [, file = '', line = '', column = ''] = /\((\S+\.ts):(\d+):(\d+)\)$/.exec(first) ?? [];
  expect(file).toMatch(/\/src\/environment\.ts$/);
  const source = readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
  expect(source.slice(Number(column) - 1)).toMatch(/^(?:throw )?new ConfigurationError/);
});

it('A stack trace names modules without a source map unchanged, and works for an error that has no text', () => {
  const [headline, ...sites] = stackOf(`
    const error = new Error('');
    error.toString = () => { throw new Error(); };
    throw error;`).split('\n');
  expect(headline).toBe('Error');
  expect(sites.join('\n')).toMatch(/^ {4}at file:\/\/\/.*\[eval1\]:\d+:\d+/);
});
