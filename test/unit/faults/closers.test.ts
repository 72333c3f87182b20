import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const closers = pathToFileURL('faults/rig/closers.mjs').href;
const writes = pathToFileURL('faults/rig/writes.mjs').href;

function run(script: string): unknown {
  const line = ['--input-type=module', '--eval', `${script}\nprocess.stdout.write(JSON.stringify(result));`];
  return JSON.parse(execFileSync(process.execPath, line, { encoding: 'utf8' }));
}

it('A part that cannot be closed does not keep the other parts open, and every error is reported', () => {
  const result = run(`
    const { Closers } = await import('${closers}');
    const all = new Closers();
    const closed = [];
    all.add(async () => void closed.push('first'));
    all.add(async () => { throw new Error('The server hangs.'); });
    all.add(() => { throw new Error('The pool is open.'); });
    all.add(async () => void closed.push('last'));
    const error = await all.close().catch((error) => error);
    await all.close();
    const result = { closed, kind: error.constructor.name, errors: error.errors.map(({ message }) => message) };`);
  expect(result).toEqual({
    closed: ['last', 'first'],
    kind: 'AggregateError',
    errors: ['The pool is open.', 'The server hangs.'],
  });
});

it('A write that several faults find in progress counts once, and its next attempt counts again', () => {
  const result = run(`
    const { Writes } = await import('${writes}');
    const found = [
      [{ id: 'a', attempt_count: 1 }, { id: 'b', attempt_count: 1 }],
      [{ id: 'a', attempt_count: 1 }],
      [{ id: 'a', attempt_count: 2 }],
    ];
    const seen = new Writes({ query: async () => found.shift() });
    for (let fault = 0; fault < 3; fault += 1) await seen.record();
    const result = seen.inFlight;`);
  expect(result).toBe(3);
});
