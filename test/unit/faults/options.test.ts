import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const options = pathToFileURL('faults/options.mjs').href;

/** The options that the fault suite reads from a command line, or the message of its refusal. */
function read(...args: string[]): unknown {
  const script = `
    const { readOptions } = await import('${options}');
    let read;
    try { read = readOptions(${JSON.stringify(args)}); } catch ({ message }) { read = message; }
    process.stdout.write(JSON.stringify(read));`;
  const line = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, line, { encoding: 'utf8' }));
}

it('The fault suite reads its seeds, its length and the number of parallel runs', () => {
  expect(read()).toMatchObject({ names: ['ci'], seeds: [1], length: 'short', atOnce: 1, soak: {} });
  expect(read('F2', '--seeds', '3', '--at-once', '4')).toMatchObject({
    names: ['F2'],
    seeds: [1, 2, 3],
    atOnce: 4,
  });
  expect(read('--seed', '7,8', '--minutes', '90.5')).toMatchObject({
    seeds: [7, 8],
    soak: { minutes: 90.5 },
  });
});

it.each([
  ['--at-once=four', '--at-once takes a whole number from 1 to 64, not "four".'],
  ['--at-once=0', '--at-once takes a whole number from 1 to 64, not "0".'],
  ['--at-once=-2', '--at-once takes a whole number from 1 to 64, not "-2".'],
  ['--at-once=1.5', '--at-once takes a whole number from 1 to 64, not "1.5".'],
  ['--seeds=x', '--seeds takes a whole number from 1 to 10000, not "x".'],
  ['--seed=1,,2', '--seed takes whole numbers or "random", separated by commas, not "1,,2".'],
  ['--length=middle', '--length takes short or long, not "middle".'],
  ['--minutes=0', '--minutes takes a number of at least 1, not "0".'],
  ['--kills-every=Infinity', '--kills-every takes a number of at least 1, not "Infinity".'],
])('The fault suite refuses %s and names the values that the option takes', (argument, message) => {
  expect(read(argument)).toBe(message);
});
