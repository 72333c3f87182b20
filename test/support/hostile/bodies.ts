import { gzipSync } from 'node:zlib';
import type { Asked, HostileCase, Scene } from './scene.js';

/** A new message with exactly this body. */
const body = (
  name: string,
  value: (conversation: string) => string | Buffer | object,
  says?: string,
  headers?: Asked['headers'],
): HostileCase => ({
  name,
  status: [400],
  ...(says !== undefined && { says }),
  act: (scene: Scene) =>
    scene.ask('POST', '/openapi/messages', {
      body: value(String(scene.conversation.id)),
      ...(headers && { headers }),
    }),
});
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

/** Bodies that may break a parser or a check. */
export const bodies: readonly HostileCase[] = [
  body(
    'JSON that is nested 33 deep',
    (id) => `{"conversation_id":"${id}","text":"a","metadata":{"a":${nested(33, '[', ']')}}}`,
  ),
  body(
    'JSON that is nested 100,000 deep',
    (id) => `{"conversation_id":"${id}","text":"a","metadata":{"a":${nested(100_000, '[', ']')}}}`,
  ),
  body(
    'JSON that never ends',
    (id) => `{"conversation_id":"${id}","text":"a","metadata":${'{"a":'.repeat(5_000)}`,
  ),
  body('a body of one array', () => '[]'),
  body('a body of one text', () => '"text"'),
  body('a body of null', () => 'null'),
  body('two values in one body', () => '{}{}'),
  body('a comma too much', (id) => `{"conversation_id":"${id}","text":"a",}`),
  body('a comment in JSON', (id) => `{"conversation_id":"${id}",/* a */"text":"a"}`),
  body('a number that is none', (id) => `{"conversation_id":"${id}","text":"a","metadata":{"a":NaN}}`),
  body('bytes that are not UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  body('UTF-16', (id) => Buffer.from(`{"conversation_id":"${id}","text":"a"}`, 'utf16le')),
  body('U+0000 in a text', (id) => ({ conversation_id: id, text: 'a\0b' }), 'text'),
  body('half of a surrogate pair', (id) => `{"conversation_id":"${id}","text":"a\\ud800"}`, 'text'),
  body(
    'a text of 10,001 characters',
    (id) => ({ conversation_id: id, text: 'a'.repeat(10_001) }),
    'too_long',
  ),
  body(
    'a text that is an object',
    (id) => ({ conversation_id: id, text: { toString: 'a' } }),
    'invalid_type',
  ),
  body('a text that is a list', (id) => ({ conversation_id: id, text: ['a'] }), 'invalid_type'),
  body(
    'metadata with 51 keys',
    (id) => ({ conversation_id: id, text: 'a', metadata: named(51) }),
    'metadata',
  ),
  body(
    'metadata with 60,000 keys',
    (id) => ({ conversation_id: id, text: 'a', metadata: named(60_000) }),
    'too_many',
  ),
  body(
    'metadata with a key of 41 characters',
    (id) => ({ conversation_id: id, text: 'a', metadata: { ['k'.repeat(41)]: 1 } }),
    'metadata',
  ),
  body(
    'metadata of 4,097 bytes',
    (id) => ({ conversation_id: id, text: 'a', metadata: { a: 'b'.repeat(4_090) } }),
    'metadata',
  ),
  body(
    '11 attachments',
    (id) => ({
      conversation_id: id,
      attachments: Array.from({ length: 11 }, () => ({ type: 'location', latitude: 1, longitude: 2 })),
    }),
    'attachments',
  ),
  body('a body over 1 MiB', (id) => ({
    conversation_id: id,
    text: 'a',
    metadata: { a: 'b'.repeat(1_100_000) },
  })),
  body(
    'a body that is compressed',
    (id) => gzipSync(JSON.stringify({ conversation_id: id, text: 'a' })),
    undefined,
    { 'content-encoding': 'gzip' },
  ),
  body('a bomb of compression', () => gzipSync(Buffer.alloc(20_000_000, 32)), undefined, {
    'content-encoding': 'gzip',
  }),
  body('JSON that says it is text', (id) => ({ conversation_id: id, text: 'a' }), undefined, {
    'content-type': 'text/plain',
  }),
  body('JSON in a form', (id) => ({ conversation_id: id, text: 'a' }), undefined, {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  body('JSON in another character set', (id) => ({ conversation_id: id, text: 'a' }), undefined, {
    'content-type': 'application/json; charset=utf-7',
  }),
  body(
    'a field that belongs to the prototype',
    (id) => `{"conversation_id":"${id}","text":"a","__proto__":{"status":"sent"}}`,
    'unknown_field',
  ),
  body(
    'a constructor as a field',
    (id) => ({ conversation_id: id, text: 'a', constructor: { prototype: { admin: true } } }),
    'unknown_field',
  ),
  body(
    'a state that the client sets itself',
    (id) => ({ conversation_id: id, text: 'a', status: 'delivered' }),
    'status',
  ),
  body(
    'a sender that the client sets itself',
    (id) => ({ conversation_id: id, text: 'a', sender_id: id }),
    'sender_id',
  ),
  body(
    'a workspace that the client chooses',
    (id) => ({ conversation_id: id, text: 'a', workspace_id: id }),
    'workspace_id',
  ),
  body(
    'a time in the year 10000',
    (id) => ({ conversation_id: id, text: 'a', send_at: '10000-01-01T00:00:00Z' }),
    'send_at',
  ),
  body(
    'a time that does not exist',
    (id) => ({ conversation_id: id, text: 'a', send_at: '2027-02-30T25:61:00Z' }),
    'send_at',
  ),
];
