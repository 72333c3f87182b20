import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBroadcastBody } from '../../../../src/core/broadcasts/bodies.js';
import { broadcastRecord } from '../../../../src/core/broadcasts/record.js';
import { createConversationBody } from '../../../../src/core/conversations/bodies.js';
import { conversationRecord } from '../../../../src/core/conversations/record.js';
import { sendMessageBody } from '../../../../src/core/messages/bodies.js';
import { KnownFields } from '../../../../src/core/schema/nearest-field.js';
import { hasField, unknownFields, writablePaths } from '../../../../src/core/schema/unknown-fields.js';
import { createUserBody } from '../../../../src/core/users/bodies.js';

const messages = new KnownFields(writablePaths(sendMessageBody));
const broadcasts = new KnownFields(writablePaths(createBroadcastBody));
const users = new KnownFields(writablePaths(createUserBody));
const conversations = new KnownFields(writablePaths(createConversationBody));

describe('the field nearest to an unknown one', () => {
  it.each<[string, KnownFields, string, string]>([
    ['camel case of a known name', messages, 'sendAt', 'send_at'],
    ['another case', messages, 'TEXT', 'text'],
    ['hyphens', messages, 'reply-to-id', 'reply_to_id'],
    ['a name without its end', messages, 'replyTo', 'reply_to_id'],
    ['a field of broadcasts in a message', messages, 'scheduled_at', 'send_at'],
    ['a letter too many', messages, 'attachmentss', 'attachments'],
    ['two letters exchanged', messages, 'tetx', 'text'],
    ['an object inside of a list', messages, 'attachments.2.alttext', 'attachments.2.alt_text'],
    ['a camel case name in a list', messages, 'attachments.0.mimeType', 'attachments.0.mime_type'],
    ['the time of a broadcast', broadcasts, 'scheduled_at', 'schedule.at'],
    ['send_at in a broadcast', broadcasts, 'send_at', 'schedule.at'],
    ['sendAt in a broadcast', broadcasts, 'sendAt', 'schedule.at'],
    ['a field that stands in another object', broadcasts, 'user_ids', 'audience.user_ids'],
    ['quiet hours beside the schedule', broadcasts, 'quietHours', 'schedule.quiet_hours'],
    ['expires_at beside the schedule', broadcasts, 'expires_at', 'schedule.expires_at'],
    ['the body of another interface', broadcasts, 'message', 'text'],
    ['a nested mistake', broadcasts, 'schedule.expiresAt', 'schedule.expires_at'],
    ['a mistake deep inside', broadcasts, 'audience.exclude.userIds', 'audience.exclude.user_ids'],
    ['a recipient in a list', broadcasts, 'audience.recipients.7.adress', 'audience.recipients.7.address'],
    ['a name of other interfaces', users, 'name', 'display_name'],
    ['a phone number', users, 'phone_number', 'phone'],
    ['an avatar', users, 'avatarUrl', 'profile_image'],
    ['a time zone in two words', users, 'time_zone', 'timezone'],
    ['participants of a new conversation', conversations, 'participants', 'participant_ids'],
    ['a field of its first message', conversations, 'message.sendAt', 'message.send_at'],
  ])('is found for %s', (_, known, field, nearest) => {
    expect(known.advice(field.split('.'))).toBe(`The nearest known field is ${nearest}.`);
  });

  it('is missing for a name without a similar one: the known ones are listed', () => {
    expect(users.advice(['zzzzzzzz'])).toMatch(/^Known fields are username, display_name, /);
    expect(new KnownFields([]).advice(['text'])).toBe('No field is known here.');
  });

  it('is never a deprecated name', () => {
    expect(messages.advice(['conversationid'])).toBe('The nearest known field is conversation_id.');
    expect(messages.advice(['contentTyp'])).toBe('The nearest known field is content_type.');
  });

  it('is not searched for among names of any length', () => {
    expect(messages.advice(['text'.repeat(100_000)])).toMatch(/^Known fields are /);
  });
});

describe('unknown fields', () => {
  it('are found in objects, lists and alternatives', () => {
    const sent = {
      text: 'x',
      nope: 1,
      attachments: [
        'https://x.example/a',
        { url: 'https://x.example/b', colour: 'red', metadata: { any: 1 } },
      ],
      metadata: { any: { thing: 1 } },
    };
    expect(unknownFields(sendMessageBody, sent)).toEqual([['nope'], ['attachments', '1', 'colour']]);
  });

  it('are found in records, tuples and intersections, and not in loose objects', () => {
    const room = z.object({ title: z.string() });
    const schema = z.object({
      rooms: z.record(z.string(), room),
      pair: z.tuple([room, z.string()], room),
      both: z.intersection(room, z.object({ size: z.number() })),
      loose: z.looseObject({ inner: room }),
    });
    const sent = {
      rooms: { lobby: { title: 'Lobby', colour: 'red' } },
      pair: [{ title: 'A', nope: 1 }, 'b', { odd: 1 }],
      both: { title: 'Both', size: 1, depth: 2 },
      loose: { anything: 1, inner: { titel: 'x' } },
    };
    expect(unknownFields(schema, sent)).toEqual([
      ['rooms', 'lobby', 'colour'],
      ['pair', '0', 'nope'],
      ['pair', '2', 'odd'],
      ['both', 'depth'],
      ['loose', 'inner', 'titel'],
    ]);
  });

  it('have finite paths, also in a schema that contains itself', () => {
    const folder = z.object({
      name: z.string(),
      get folders() {
        return z.array(folder);
      },
    });
    expect(writablePaths(folder).slice(0, 4)).toEqual([
      'name',
      'folders',
      'folders.*.name',
      'folders.*.folders',
    ]);
  });

  it('are not searched for in a list that is too long', () => {
    const attachments = Array.from({ length: 300_000 }, () => ({ nope: 1 }));
    expect(unknownFields(sendMessageBody, { attachments })).toEqual([]);
  });

  it('of a nested object are read-only if the record shows them', () => {
    expect(hasField(conversationRecord, ['links', '0', 'status'])).toBe(true);
    expect(hasField(conversationRecord, ['links', '0', 'nope'])).toBe(false);
    expect(hasField(broadcastRecord, ['metadata', 'x'])).toBe(false);
    expect(hasField(broadcastRecord, ['audience', 'nope'])).toBe(false);
  });
});
