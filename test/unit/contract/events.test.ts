import { describe, expect, it } from 'vitest';
import { wrongField } from '../../../src/contract/validation/events.js';

const place = { chat: { id: 'c', kind: 'group' }, at: '2026-01-01T00:00:00.000Z' };
const sender = { id: 'u' };
const content = {
  text: 'Hello',
  spans: [{ mark: 'bold', start: 0, end: 5 }],
  attachments: [{ type: 'image' }],
};
const message = { ...place, type: 'message', messageId: 'm', sender, content };
const added = {
  ...{ ...place, type: 'reaction', change: 'added', messageId: 'm' },
  ...{ sender, emoji: '👍', authority: 'author' },
};
const receipt = { ...place, type: 'receipt', messageId: 'm', status: 'sent' };

describe('an event returned by decode', () => {
  it.each<[string, object]>([
    ['a message', message],
    [
      'an edit without a sender',
      { ...place, type: 'message_edited', messageId: 'm', content, authority: 'unknown' },
    ],
    [
      'a deletion',
      { ...place, type: 'message_deleted', messageId: 'm', actor: sender, authority: 'moderator' },
    ],
    ['a reaction with an id', { ...added, reactionId: 'r' }],
    [
      'a removal by the id alone',
      { ...place, type: 'reaction', change: 'removed', reactionId: 'r', authority: 'unknown' },
    ],
    ['cleared reactions', { ...place, type: 'reactions_cleared', messageId: 'm', authority: 'platform' }],
    ['a receipt', { ...receipt, status: 'failed', failure: { reason: 'too_long', message: 'Too long.' } }],
    ['typing', { ...place, type: 'typing', sender, state: 'started' }],
    ['a place', { ...place, type: 'location', sender, latitude: 52.5, longitude: -13.4 }],
    ['a chat that moved', { ...place, type: 'chat_moved', toChatId: 'd' }],
    ['a new title', { ...place, type: 'chat_renamed', title: '' }],
    ['a membership', { ...place, type: 'membership', user: sender, change: 'left' }],
    ['consent', { ...place, type: 'consent', user: sender, change: 'opted_in' }],
    ['a gap', { type: 'gap', since: '2026-01-01T00:00:00+02:00', reason: 'The socket was closed.' }],
    ['something unknown', { type: 'unsupported', what: 'poll' }],
  ])('is accepted: %s', (_what, event) => {
    expect(wrongField(event)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['type', null],
    ['type', { ...message, type: 'msg' }],
    ['type', { ...message, type: 'toString' }],
    ['chat', { ...message, chat: undefined }],
    ['chat.id', { ...message, chat: { ...place.chat, id: '' } }],
    ['chat.id', { ...message, chat: { ...place.chat, id: 'c'.repeat(1_001) } }],
    ['chat.kind', { ...message, chat: { id: 'c', kind: 'room' } }],
    ['chat.threadId', { ...message, chat: { ...place.chat, threadId: 7 } }],
    ['at', { ...message, at: 1_772_359_200 }],
    ['at', { ...message, at: 'yesterday' }],
    ['at', { ...message, at: '2026-13-01T00:00:00Z' }],
    ['echo', { ...message, echo: 1 }],
    ['sender.displayName', { ...message, sender: { id: 'u', displayName: null } }],
    ['sender.locale', { ...message, sender: { id: 'u', locale: 7 } }],
    ['replyToId', { ...message, replyToId: 5 }],
    ['copyOf.messageId', { ...message, copyOf: { chatId: 'c' } }],
    [
      'content.spans.0.mark',
      { ...message, content: { ...content, spans: [{ mark: 'blink', start: 0, end: 1 }] } },
    ],
    [
      'content.spans.0.end',
      { ...message, content: { ...content, spans: [{ mark: 'bold', start: 0, end: 6 }] } },
    ],
    [
      'content.spans.0.end',
      { ...message, content: { ...content, spans: [{ mark: 'bold', start: 2, end: 2 }] } },
    ],
    ['content.attachments.0.type', { ...message, content: { ...content, attachments: [{ type: 'poll' }] } }],
    [
      'content.attachments.0.remoteRef',
      { ...message, content: { ...content, attachments: [{ type: 'file', remoteRef: 'r'.repeat(2_049) }] } },
    ],
    [
      'content.attachments.0.sizeBytes',
      { ...message, content: { ...content, attachments: [{ type: 'file', sizeBytes: '9' }] } },
    ],
    ['authority', { ...place, type: 'message_deleted', messageId: 'm', authority: 'me' }],
    ['actor.id', { ...place, type: 'message_deleted', messageId: 'm', actor: {} }],
    ['emoji', { ...added, emoji: undefined }],
    ['messageId', { ...added, messageId: undefined, reactionId: 'r' }],
    ['reactionId', { ...place, type: 'reaction', change: 'removed', reactionId: '' }],
    ['change', { ...added, change: 'toggled' }],
    ['status', { ...receipt, status: 'seen' }],
    ['failure.reason', { ...receipt, status: 'failed', failure: { reason: 'because', message: '' } }],
    ['state', { ...place, type: 'typing', sender, state: 'paused' }],
    ['latitude', { ...place, type: 'location', sender, latitude: 91, longitude: 0 }],
    ['toChatId', { ...place, type: 'chat_moved' }],
    ['user', { ...place, type: 'membership', change: 'left' }],
    ['since', { type: 'gap', since: '', reason: '' }],
    ['what', { type: 'unsupported' }],
  ])('is refused with the path of the invalid field: %s', (field, event) => {
    expect(wrongField(event)).toBe(field);
  });
});
