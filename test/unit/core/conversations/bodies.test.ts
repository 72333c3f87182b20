import { describe, expect, it } from 'vitest';
import {
  changeConversationBody,
  conversationKey,
  createConversationBody,
} from '../../../../src/core/conversations/bodies.js';
import { changeUserBody } from '../../../../src/core/users/bodies.js';

const id = '019b76da-a800-7000-8000-0000000000a1';
const fields = (read: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) =>
  (read.error?.issues ?? []).map((issue) => issue.path.join('.'));
const recipient = { platform: 'sms', address: '+1' };

describe('the body of a conversation', () => {
  it('needs participants, a recipient or links', () => {
    const read = (body: object) => fields(createConversationBody.safeParse(body));
    expect(read({})).toEqual(['participant_ids']);
    expect(read({ participant_ids: [] })).toEqual([]);
    expect(read({ recipient })).toEqual([]);
    expect(read({ recipient, participant_ids: [id] })).toEqual(['recipient']);
    expect(read({ recipient, type: 'group' })).toEqual(['type']);
    expect(read({ recipient, message: { text: ' ' } })).toEqual(['message.text']);
  });

  it('names each chat once, and a thread in addition to its chat', () => {
    const read = (links: object[]) => fields(createConversationBody.safeParse({ links }));
    const chat = { connection_id: id, external_id: 'room' };
    const thread = { ...chat, external_thread_id: '1' };
    expect(read([chat, thread, { ...chat, external_id: 'other' }])).toEqual([]);
    expect(read([chat, thread, { ...chat, external_thread_id: null, title: 'Again' }])).toEqual(['links.2']);
    expect(read([thread, { ...thread, connection_id: id.toUpperCase() }])).toEqual(['links.1']);
  });

  it('can be snoozed until a future time', () => {
    const read = (body: object) => fields(changeConversationBody.safeParse(body));
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(read({ status: 'snoozed' })).toEqual(['snoozed_until']);
    expect(read({ status: 'snoozed', snoozed_until: soon })).toEqual([]);
    expect(read({ status: 'open', snoozed_until: soon })).toEqual(['snoozed_until']);
    expect(read({ status: 'snoozed', snoozed_until: '2020-01-01T00:00:00Z' })).toEqual(['snoozed_until']);
  });

  it('accepts an id or a number', () => {
    expect(conversationKey.parse(id.toUpperCase())).toBe(id);
    expect(conversationKey.parse('17')).toBe(17);
    expect(conversationKey.parse('017')).toBe(17);
    for (const key of ['1.0', '+1', '-1', '']) expect(conversationKey.safeParse(key).success).toBe(false);
  });
});

describe('the body of a user', () => {
  it('may contain only well-formed phone numbers, locales, time zones and usernames', () => {
    const read = (body: object) => fields(changeUserBody.safeParse(body));
    expect(
      read({ phone: '+4915112345678', locale: 'de-DE', timezone: 'Europe/Berlin', username: 'a.b' }),
    ).toEqual([]);
    expect(read({ phone: '015112345678' })).toEqual(['phone']);
    expect(read({ locale: 'not a tag' })).toEqual(['locale']);
    expect(read({ timezone: 'Mars/Base' })).toEqual(['timezone']);
    expect(read({ timezone: '+02:00' })).toEqual(['timezone']);
    expect(read({ username: 'Ann' })).toEqual(['username']);
    expect(read({ status: 'suspended' })).toEqual(['status']);
    expect(read({ email: '' })).toEqual([]);
    expect(read({ email: 'nobody' })).toEqual(['email']);
  });
});
