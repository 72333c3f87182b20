import type { Draft } from '../draft.js';
import { headOf } from '../form.js';
import type { Random } from '../random.js';
import { repeats } from './repeats.js';

/** A file may be larger and is read as a stream. This size shows the cost of one chunk. */
const FILE_BYTES = 8_000_000;
const FORM_BYTES = 1_048_576 - 4_096;

const lines = (bytes: number, line: (index: number) => string): Buffer => {
  const made: string[] = [];
  for (let at = 0, used = 0; used < bytes; at += 1) {
    const text = line(at);
    made.push(text);
    used += text.length;
  }
  return Buffer.from(made.join(''));
};

const number = (at: number) => `+49151${String(at).padStart(8, '0')}`;

/** Lists of people that are slow to read. */
const LISTS: readonly (readonly [string, (bytes: number) => Buffer])[] = [
  [
    'rows',
    (bytes) => Buffer.concat([Buffer.from('platform,address\n'), lines(bytes, (at) => `sandbox,a${at}\n`)]),
  ],
  [
    'numbers',
    (bytes) =>
      Buffer.concat([Buffer.from('platform,address\n'), lines(bytes, (at) => `sms,${number(at)}\n`)]),
  ],
  ['wrong rows', (bytes) => Buffer.concat([Buffer.from('user_id\n'), lines(bytes, () => 'x\n')])],
  ['blank lines', (bytes) => Buffer.concat([Buffer.from('user_id\n'), lines(bytes, () => '\n')])],
  [
    'rows of commas',
    (bytes) => Buffer.concat([Buffer.from('platform,address\n'), lines(bytes, () => ',\n')]),
  ],
  [
    'columns',
    (bytes) => Buffer.concat([Buffer.from('user_id'), lines(bytes, (at) => `,c${at}`), Buffer.from('\nx')]),
  ],
  [
    'one column',
    (bytes) => Buffer.concat([Buffer.from('user_id'), lines(bytes, () => ',c'), Buffer.from('\nx')]),
  ],
  ['quotes', (bytes) => Buffer.concat([Buffer.from('user_id\n"'), lines(bytes, () => '""')])],
  ['a cell', (bytes) => Buffer.concat([Buffer.from('user_id\n'), lines(bytes, () => 'aaaaaaaaaaaaaaaa')])],
  [
    'variables',
    (bytes) => {
      const names = Array.from({ length: 40 }, (_, at) => `v${at}`).join();
      const values = Array.from({ length: 40 }, () => 'x').join();
      return Buffer.concat([
        Buffer.from(`platform,address,${names}\n`),
        lines(bytes, (at) => `sandbox,a${at},${values}\n`),
      ]);
    },
  ],
  ['returns', (bytes) => Buffer.concat([Buffer.from('user_id\r'), lines(bytes, () => '\r')])],
];

/** Makes a form expensive and returns how. `share` is the part of the largest size. */
export function spendForm(draft: Draft, random: Random, share: number): string {
  const { form } = draft;
  if (form === undefined) return 'nothing';
  const file = form.parts.find(({ head }) => head.includes('filename'));
  const repeat = random.pick(repeats);
  const bytes = Math.floor(FORM_BYTES * share);
  switch (random.int(0, 6)) {
    case 0:
      form.parts.push(
        ...Array.from({ length: bytes / 100 }, (_, at) => ({
          head: headOf(`f${at}`),
          content: Buffer.from('x'),
        })),
      );
      return 'many parts';
    case 1:
      form.parts.push({ head: headOf('name'), content: Buffer.from(repeat.ofSize(bytes)) });
      return `a field of ${repeat.name}`;
    case 2:
      form.parts.push({ head: `X: ${repeat.ofSize(Math.min(bytes, 80_000))}`, content: Buffer.from('x') });
      return `a head of ${repeat.name}`;
    case 3:
      for (const part of form.parts)
        part.head = headOf('file', repeat.ofSize(Math.min(bytes, 15_000)).replace(/["\r\n]/g, ''));
      return `a file name of ${repeat.name}`;
    case 4:
      if (file) file.content = Buffer.from(`\r\n--${form.boundary.slice(0, -1)}`.repeat(bytes / 16));
      return 'almost boundaries';
    default: {
      const [name, make] = random.pick(LISTS);
      if (file) file.content = make(FILE_BYTES * share);
      return `a list of ${name}`;
    }
  }
}
