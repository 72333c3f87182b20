import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const LENGTHS = ['short', 'long'];
const MAX_SEEDS = 10_000;
const MAX_AT_ONCE = 64;
const OPTIONS = {
  // Comma-separated numbers. `random` is a random number.
  seed: { type: 'string' },
  // Runs with the seeds 1 to this number.
  seeds: { type: 'string', default: '1' },
  length: { type: 'string', default: 'short' },
  // Duration of a soak.
  minutes: { type: 'string' },
  // Minutes between the starts of two periods of kills.
  'kills-every': { type: 'string' },
  'at-once': { type: 'string', default: '1' },
  write: { type: 'boolean', default: false },
  // Keeps the logs.
  keep: { type: 'boolean', default: false },
};

/** Reads the command line. An invalid option is an error that names the option and the values that it takes. */
export function readOptions(args) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  if (!LENGTHS.includes(values.length)) refuse('length', 'short or long', values.length);
  const seeds = wholeNumber(values, 'seeds', MAX_SEEDS);
  const soak = {
    minutes: positiveNumber(values, 'minutes'),
    everyMinutes: positiveNumber(values, 'kills-every'),
  };
  return {
    names: positionals.length === 0 ? ['ci'] : positionals,
    seeds: values.seed === undefined ? Array.from({ length: seeds }, (_, at) => at + 1) : listed(values.seed),
    length: values.length,
    atOnce: wholeNumber(values, 'at-once', MAX_AT_ONCE),
    soak: Object.fromEntries(Object.entries(soak).filter(([, minutes]) => minutes !== undefined)),
    write: values.write,
    keep: values.keep,
  };
}

function listed(text) {
  return text.split(',').map((seed) => {
    if (seed === 'random') return randomInt(2 ** 31);
    const number = Number(seed);
    if (seed.trim() === '' || !Number.isSafeInteger(number))
      refuse('seed', 'whole numbers or "random", separated by commas', text);
    return number;
  });
}

function wholeNumber(values, name, max) {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 1 || number > max)
    refuse(name, `a whole number from 1 to ${max}`, values[name]);
  return number;
}

function positiveNumber(values, name) {
  if (values[name] === undefined) return undefined;
  const number = Number(values[name]);
  if (!Number.isFinite(number) || number < 1) refuse(name, 'a number of at least 1', values[name]);
  return number;
}

function refuse(name, expected, value) {
  throw new TypeError(`--${name} takes ${expected}, not "${value}".`);
}
