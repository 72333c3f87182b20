import type { Random } from './random.js';
import { Raw, type Tree, textOf } from './tree.js';

/** Well-formed texts that often cause failures. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u00a0\u2003\u3000',
  '\t\r\n',
  '\u2028\u2029',
  '\ufeff',
  '\ufffe\uffff',
  '\u{10ffff}',
  '\u202eevil\u202c',
  '\u200b\u200d\u2060',
  'e\u0301'.repeat(40),
  `a${'\u0300'.repeat(2_000)}`,
  '👨‍👩‍👧‍👦'.repeat(30),
  '🇩🇪👍🏿☝️',
  'ﷺ'.repeat(200),
  'İıſKÅ',
  'ß'.repeat(300),
  '𝒳'.repeat(129),
  "' OR 1=1; DROP TABLE messages; --",
  '%_\\%',
  '$1 $$ $body$',
  '\\x00',
  '{"a":1}',
  '<script>alert(1)</script>',
  '<!ENTITY a "b">&a;',
  '{{text}} {{{{a}}}} {{constructor}} {{__proto__}}',
  '*_~`[](<> ||__**',
  '['.repeat(500),
  '> '.repeat(500),
  `${'*a _b '.repeat(800)}`,
  '```'.repeat(300),
  '../../etc/passwd',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '0x10',
  '1e3',
  '٣',
  '-0',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '019b76da-a800-7000-8000-0000000000C1',
  '2026-02-30T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999+23:59',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  'http://127.0.0.1:1/',
  'http://[::1]:1/',
  'http://169.254.169.254/latest/meta-data',
  'http://user:secret@shop.example/',
  'https://shop.example:99999/',
  'https://xn--/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'constructor',
  '__proto__',
  'toString',
  'length',
];

/** Unpaired surrogates and zeros, as JSON may contain them. */
export const BROKEN_TEXTS: readonly string[] = ['"\\ud800"', '"\\udc00\\ud800"', '"a\\uDBFFb"', '"\\ud83d"'];
export const ZERO_TEXTS: readonly string[] = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\u0000\\u0000"',
  `"${'\\u0000'.repeat(300)}"`,
];

/** Numbers in valid and invalid JSON. */
export const ODD_NUMBERS: readonly string[] = [
  '0',
  '-0',
  '-1',
  '0.5',
  '1e0',
  '1E+2',
  '1e-400',
  '1e308',
  '1e309',
  '-1e999',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '2147483648',
  '-2147483649',
  '90.0000001',
  '-180.00000000001',
  '1.7976931348623157e308',
  '5e-324',
  '1'.repeat(400),
  `0.${'1'.repeat(400)}`,
  'NaN',
  'Infinity',
  '-Infinity',
  '+1',
  '01',
  '1.',
  '.5',
  '0x1f',
  '1_000',
  '1n',
  '"NaN"',
  '"1e3"',
];

const DEPTHS = [2, 30, 31, 32, 33, 34, 64, 500, 5_000, 100_000];

/** Lists and objects within each other. */
export function nested(random: Random): Raw {
  const depth = random.pick(DEPTHS);
  const shape = random.int(0, 2);
  if (shape === 0) return new Raw(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  if (shape === 1) return new Raw(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  return new Raw('['.repeat(depth));
}

const CANDIDATE =
  'a=candidate:842163049 1 udp 1677729535 203.0.113.7 61665 typ srflx raddr 0.0.0.0 rport 0 generation 0\r\n';

/** A session description with more candidates than any phone offers. */
export function sessionFlood(random: Random): string {
  const head =
    'v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';
  return head + CANDIDATE.repeat(random.pick([1, 100, 600, 2_500, 9_000]));
}

/** Ten thousand longer ones would exceed the limit of a body. */
const MAX_ITEM_LENGTH = 300;

/** Repeats something up to the size limit of a body, and beyond. */
export function flood(value: Tree, random: Random): Tree {
  switch (random.int(0, 4)) {
    case 0:
      return sessionFlood(random);
    case 1:
      return 'a'.repeat(random.pick([257, 1_001, 10_001, 65_537, 1_048_000, 1_048_577]));
    case 2:
      return '\u{1f600}'.repeat(random.pick([65, 5_001, 10_000, 100_000]));
    case 3: {
      const text = textOf(value);
      const item = new Raw(text.length < MAX_ITEM_LENGTH ? text : '1');
      return Array.from({ length: random.pick([51, 101, 1_001, 10_000]) }, () => item);
    }
    default:
      return new Raw(
        `{${Array.from({ length: random.pick([51, 1_000, 20_000]) }, (_, at) => `"k${at}":${at}`).join(',')}}`,
      );
  }
}

/** Created for each use, because a value in a body may itself be mutated. */
const others = (): Tree[] => [
  null,
  true,
  false,
  0,
  1.5,
  -1,
  '',
  'text',
  [],
  [null],
  [[]],
  new Raw('{}'),
  new Raw('{"a":1}'),
];

export const ofAnotherType = (random: Random): Tree => random.pick(others());
