import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, PlatformError, plainContent, remoteChatId, remoteMessageId } from 'trunkline';
import { capabilities, settings } from '../src/definition.js';
import { type ChatStanza, decode, stanzaEnvelope } from '../src/inbound.js';
import { plan } from '../src/outbound.js';

const stanza: ChatStanza = {
  type: 'groupchat',
  from: 'lobby@rooms.example.org/Grace',
  id: 'a1',
  body: 'Hello',
  at: '2026-01-02T03:04:05.000Z',
  own: 'lobby@rooms.example.org/Trunkline',
};
const heard = (more: Partial<ChatStanza>) => {
  const [event] = decode(stanzaEnvelope({ ...stanza, ...more }));
  return event?.type === 'message' ? event : undefined;
};
const send = (text: string, more: object = {}): Operation => ({
  type: 'send',
  to: { chatId: remoteChatId('lobby@rooms.example.org') },
  content: plainContent(text),
  ...more,
});

test('A stanza of a room is a message of its nick in the room', () => {
  assert.deepEqual(heard({ replyTo: 'a0' }), {
    type: 'message',
    chat: { id: 'lobby@rooms.example.org', kind: 'group', title: 'lobby' },
    at: stanza.at,
    messageId: 'a1',
    sender: { id: stanza.from, displayName: 'Grace' },
    content: plainContent('Hello'),
    replyToId: 'a0',
  });
});

test('A chat message belongs to the same direct chat, whatever device sent it', () => {
  const event = heard({ type: 'chat', from: 'grace@example.org/phone', own: 'bridge@example.org' });
  assert.deepEqual([event?.chat.id, event?.chat.kind], ['grace@example.org', 'direct']);
  assert.deepEqual(event?.sender, { id: 'grace@example.org', handle: 'grace' });
});

test('A message of the bridge that the room sends back is an echo, and a message of the room itself is unsupported', () => {
  assert.equal(heard({ from: stanza.own })?.echo, true);
  assert.equal(heard({ from: 'lobby@rooms.example.org' }), undefined);
  for (const payload of [null, 1, 'x', [], {}]) {
    assert.equal(decode({ dedupeKey: 'a', lane: 'b', payload })[0]?.type, 'unsupported');
  }
});

test('A correction and a retraction name their sender, so that the bridge can compare it with the author', () => {
  const eve = 'lobby@rooms.example.org/Eve';
  const [edit] = decode(stanzaEnvelope({ ...stanza, from: eve, id: 'e1', replaces: 'a1', body: 'Forged' }));
  assert.equal(edit?.type === 'message_edited' && edit.messageId, 'a1');
  assert.equal(edit?.type === 'message_edited' && edit.sender?.id, eve);
  assert.equal(edit?.type === 'message_edited' && edit.authority, 'author');
  const chat = { type: 'chat', from: 'eve@example.org/phone', own: 'bridge@example.org' } as const;
  const [gone] = decode(stanzaEnvelope({ ...stanza, ...chat, id: 'e2', retracts: 'a1', body: '' }));
  assert.equal(gone?.type === 'message_deleted' && gone.sender?.id, 'eve@example.org');
  const [room] = decode(stanzaEnvelope({ ...stanza, id: 'e3', retracts: 'a1', body: 'Retracted a message' }));
  assert.equal(room?.type, 'unsupported');
});

test('The first part is the reply, and long texts are split without loss', () => {
  const text = 'ä€😀 '.repeat(2_000).trim();
  const { steps } = plan(send(text, { replyToId: remoteMessageId('a1') }), capabilities);
  assert.equal(steps.map(({ payload }) => payload.text).join(''), text);
  assert.deepEqual(steps.map(({ payload }) => payload.replyTo).filter(Boolean), ['a1']);
});

test('Characters that XML forbids are removed, and an unknown operation is refused', () => {
  assert.equal(plan(send('a\0b\nc'), capabilities).steps[0]?.payload.text, 'a b\nc');
  assert.throws(
    () => plan({ ...send('x'), type: 'delete', parts: [] } as Operation, capabilities),
    PlatformError,
  );
});

test('A room that is not an address is refused', () => {
  assert.equal(settings.safeParse({ rooms: 'a@b.example,c@d.example' }).success, true);
  assert.equal(settings.safeParse({ rooms: 'lobby' }).success, false);
});
