import type { Random } from './random.js';

/** One part of a multipart body. */
export interface Part {
  head: string;
  content: Buffer;
}

export interface FormDraft {
  parts: Part[];
  boundary: string;
  end: string;
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);
const CSV =
  'user_id,name\n019b76da-a800-7000-8000-0000000000e2,Ann\n019b76da-a800-7000-8000-0000000000e3,Bob\n';

/** The example's fields as parts, with a file that a client might send. */
export function formOf(example: unknown, random: Random): FormDraft {
  const isList = !('alt_text' in (example as object));
  const file = isList ? Buffer.from(CSV) : random.pick([PNG, Buffer.from('The bytes of the file')]);
  const name = isList ? 'people.csv' : file === PNG ? 'pixel.png' : 'plan.txt';
  const parts = Object.entries(example as object).map(([field, value]): Part => {
    if (field === 'file') return { head: headOf(field, name), content: file };
    return { head: headOf(field), content: Buffer.from(String(value)) };
  });
  return {
    parts: parts.filter(({ head }) => head.includes('filename') || random.chance(0.5) || isList),
    boundary: `b${random.hex(12)}`,
    end: '--',
  };
}

export function headOf(name: string, filename?: string, type?: string): string {
  return [
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ].join('\r\n');
}

export function bytesOf({ parts, boundary, end }: FormDraft): Buffer {
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}${end}\r\n`)]);
}

const FILES: readonly ((random: Random) => Buffer)[] = [
  () => Buffer.alloc(0),
  () => PNG.subarray(0, 12),
  // A picture whose stated size exceeds the memory.
  () => Buffer.concat([PNG.subarray(0, 16), Buffer.from('ffffffffffffffff', 'hex'), PNG.subarray(24)]),
  () => Buffer.concat([Buffer.from('GIF89a'), Buffer.from('ffffffff', 'hex'), Buffer.alloc(100)]),
  () =>
    Buffer.from(
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg" width="1e99">&b;</svg>',
    ),
  () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(40, 0xff)]),
  () => Buffer.concat([Buffer.from('ID3\x04\x00\x00\x7f\x7f\x7f\x7f', 'latin1'), Buffer.alloc(64)]),
  () => Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X', 'latin1'), Buffer.alloc(30, 0xff)]),
  () => Buffer.concat([Buffer.from('\xff\xd8\xff\xe1\xff\xffExif\0\0', 'latin1'), Buffer.alloc(50, 0xff)]),
  () => Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), Buffer.alloc(64, 0xff)]),
  (random) => Buffer.from(random.hex(400), 'hex'),
  () => Buffer.from(`user_id\n${'"unclosed,'.repeat(2_000)}`),
  () => Buffer.from('platform,address\nsandbox,a\0b\nsandbox,"x""y"\n,\n'),
  () => Buffer.from(`user_id,${Array.from({ length: 3_000 }, (_, at) => `c${at}`).join()}\n`),
  () => Buffer.from(`platform,address,__proto__,constructor\n${'sandbox,sent+1,a,b\n'.repeat(3_000)}`),
  () => Buffer.from(`\ufeffuser_id\r\n${'not an id\r\n'.repeat(500)}`),
  () => Buffer.from('user_id\n\xff\xfe\n', 'latin1'),
  () => Buffer.alloc(1_200_000, 'platform,address\n'),
];

const NAMES = [
  '',
  '../../../etc/passwd',
  'a\\"b.png',
  'é\u202egnp.exe',
  'x'.repeat(3_000),
  'a\u0000b',
  '.',
  'con',
  '%00',
  "utf-8''a",
];
const LARGEST_UPLOAD = 26_214_400;
/** More than the service accepts, and small enough for this program to hold many of them. */
const MAX_BYTES = 32_000_000;
/** Parts that get another content. Thousands would exceed the memory. */
const MAX_CONTENTS = 3;

type Spoil = (form: FormDraft, random: Random) => void;

/** Possible defects of a form. */
export const FORM_SPOILS: readonly Spoil[] = [
  (form) => {
    form.end = '';
  },
  (form) => {
    form.parts = [];
  },
  (form, random) => {
    const [first] = form.parts;
    if (first === undefined) return;
    const maxParts = Math.max(2, Math.floor(MAX_BYTES / (first.content.length + 1)));
    const length = Math.min(maxParts, random.pick([2, 3, 100, 2_500]));
    form.parts = Array.from({ length }, () => ({ ...first }));
  },
  (form, random) => {
    form.parts = [...form.parts, ...numbered(random.pick([20, 1_100]))];
  },
  (form, random) => {
    for (const part of form.parts.slice(0, MAX_CONTENTS)) part.content = random.pick(FILES)(random);
  },
  (form, random) => {
    for (const part of form.parts)
      part.head = headOf(
        'file',
        random.pick(NAMES),
        random.pick(['image/png', 'text/html', 'x', 'multipart/mixed', '\u0001']),
      );
  },
  (form, random) => {
    for (const part of form.parts) part.head = random.pick(HEADS);
  },
  (form, random) => {
    for (const part of form.parts) part.head += `\r\n${random.pick(ADDED)}`;
  },
  (form, random) => {
    // Rarely, because it takes as long as a hundred others.
    if (random.chance(0.04))
      form.parts.push({ head: headOf('file', 'large.bin'), content: Buffer.alloc(LARGEST_UPLOAD + 1) });
    else
      form.parts.push({
        head: headOf('type'),
        content: Buffer.from(random.pick(['nope', '\ud83d\ude00', '', 'image\0'])),
      });
  },
  (form) => {
    form.parts = [{ head: headOf('file'), content: Buffer.from('no file') }];
  },
  (form) => {
    const inner = bytesOf({ ...form, boundary: 'inner' });
    form.parts = [
      {
        head: 'Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=inner',
        content: inner,
      },
    ];
  },
];

const HEADS = [
  '',
  'Content-Disposition: form-data',
  'Content-Disposition: attachment; name=file; filename=x',
  'no header at all',
  ': :',
  `X: ${'y'.repeat(20_000)}`,
  'Content-Disposition: form-data; name=""; filename="a"',
  'Content-Disposition: form-data; name="__proto__"',
];
const ADDED = [
  'Content-Transfer-Encoding: base64',
  'Content-Type: text/plain; charset=utf-7',
  'Content-Type: application/octet-stream; charset=nope',
  'Content-Length: -1',
  'X-Y: z\r\nX-Y: z',
];

function numbered(count: number): Part[] {
  return Array.from({ length: count }, (_, at) => ({
    head: headOf(`field${at}`),
    content: Buffer.from('x'),
  }));
}
