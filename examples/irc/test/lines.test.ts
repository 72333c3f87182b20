import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PARTS, type Operation, PlatformError, plainContent, remoteChatId, type Span } from 'trunkline';
import { capabilities } from '../src/definition.js';
import { decode, gapEnvelope, type IrcLine, lineEnvelope } from '../src/inbound.js';
import { isTarget } from '../src/names.js';
import { plan } from '../src/outbound.js';

const line: IrcLine = {
  kind: 'privmsg',
  id: 'm1.1',
  nick: 'Grace',
  target: '#Lobby',
  text: 'Hello',
  at: '2026-01-02T03:04:05.000Z',
  own: 'bridge',
};
const heard = (more: Partial<IrcLine>) => decode(lineEnvelope({ ...line, ...more }))[0];

function send(text: string, spans: Span[] = []): Operation {
  return { type: 'send', to: { chatId: remoteChatId('#lobby') }, content: { ...plainContent(text), spans } };
}

const texts = (operation: Operation) =>
  plan(operation, capabilities).steps.map(({ payload }) => payload.text);

test('A line in a channel is a message of its sender, regardless of the case of the channel name', () => {
  assert.deepEqual(heard({}), {
    type: 'message',
    chat: { id: '#lobby', kind: 'group', title: '#Lobby' },
    at: line.at,
    messageId: 'm1.1',
    sender: { id: 'grace', handle: 'Grace' },
    content: plainContent('Hello'),
  });
});

test('A private line belongs to the direct chat with its sender', () => {
  const event = heard({ target: 'bridge' });
  assert.equal(event?.type === 'message' && event.chat.id, 'grace');
  assert.equal(event?.type === 'message' && event.chat.kind, 'direct');
});

test('Colors and styles are removed, and lines of the bridge itself are echoes', () => {
  const event = heard({ text: '\x0304,01red\x03 \x02bold\x02', nick: 'bridge' });
  assert.equal(event?.type === 'message' && event.content.text, 'red bold');
  assert.equal(event?.type === 'message' && event.echo, true);
});

test('An interruption is reported as a gap, and no input throws', () => {
  assert.equal(decode(gapEnvelope(line.at))[0]?.type, 'gap');
  for (const payload of [null, 1, 'x', [], {}, { kind: 'privmsg' }]) {
    assert.equal(decode({ dedupeKey: 'a', lane: 'b', payload })[0]?.type, 'unsupported');
  }
});

test('Each line of a text is a message, and none exceeds the length of an IRC line', () => {
  assert.deepEqual(texts(send('one\n\ntwo\r\nthree')), ['one', 'two', 'three']);
  const long = 'ä€😀 '.repeat(100).trim();
  const parts = texts(send(long)) as string[];
  assert.equal(parts.join(''), long);
  for (const part of parts) assert.ok(Buffer.byteLength(part) <= 340);
});

test('No text can end its line, start a command or forge an action', () => {
  assert.deepEqual(texts(send('a\rQUIT\0 \x01ACTION dances\x01')), ['a', 'QUIT   ACTION dances ']);
  for (const name of ['#a,#b', 'a b', ':a', '#a\r\nQUIT', '']) assert.equal(isTarget(name), false, name);
});

test('Links are written as text, and dropped styles are reported', () => {
  const spans: Span[] = [
    { mark: 'bold', start: 0, end: 3 },
    { mark: 'link', start: 4, end: 8, value: 'https://example.test/' },
  ];
  assert.deepEqual(texts(send('see here now', spans)), ['see here (https://example.test/) now']);
  assert.deepEqual(plan(send('see here now', spans), capabilities).degradations, ['format.bold']);
});

test('An operation that IRC does not have is refused before a write', () => {
  const remove: Operation = { type: 'delete', to: { chatId: remoteChatId('#lobby') }, parts: [] };
  for (const operation of [remove, send('x\n'.repeat(MAX_PARTS + 1))]) {
    assert.throws(() => plan(operation, capabilities), PlatformError);
  }
});
