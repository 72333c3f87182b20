import type { GatewayMessageCreateDispatchData } from 'discord-api-types/v10';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../../../../adapters/discord/inbound/decode.js';
import type { Envelope, JsonValue } from '../../../../../src/contract/index.js';

const SELF = '700000000000000001';
const APPLICATION = '600000000000000001';
const RECEIVED_AT = '2026-03-01T10:00:05.000Z';

const author = {
  id: '213765432109876543',
  username: 'ada.l',
  discriminator: '0',
  global_name: 'Ada L.',
  avatar: 'a1b2c3',
  public_flags: 0,
  avatar_decoration_data: null,
};

/** A MESSAGE_CREATE as the gateway sends it for a message in a server. */
const message = {
  id: '1345678901234567890',
  type: 0,
  content: 'hello',
  channel_id: '1098765432109876543',
  guild_id: '998765432109876543',
  author,
  member: {
    roles: ['998765432109876599'],
    nick: 'Countess',
    avatar: null,
    joined_at: '2024-02-11T12:00:00.000000+00:00',
    deaf: false,
    mute: false,
    flags: 0,
  },
  timestamp: '2026-03-01T10:00:00.123000+00:00',
  edited_timestamp: null,
  tts: false,
  mention_everyone: false,
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  pinned: false,
  components: [],
} satisfies Omit<GatewayMessageCreateDispatchData, 'member'> & { member: object };

const envelope = (t: string, d: unknown, context: Record<string, string> = {}): Envelope => ({
  dedupeKey: 'key',
  lane: 'lane',
  payload: { t, s: 7, d: d as JsonValue },
  context: { self: SELF, application: APPLICATION, received_at: RECEIVED_AT, ...context },
});
const create = (changes: object = {}) => decode(envelope('MESSAGE_CREATE', { ...message, ...changes }));

describe('a Discord message', () => {
  it('becomes a message event with display names', () => {
    expect(create()).toEqual([
      {
        type: 'message',
        chat: { id: '1098765432109876543', kind: 'group' },
        at: '2026-03-01T10:00:00.123Z',
        messageId: '1345678901234567890',
        sender: {
          id: '213765432109876543',
          displayName: 'Countess',
          handle: 'ada.l',
          avatarUrl: 'https://cdn.discordapp.com/avatars/213765432109876543/a1b2c3.png',
        },
        content: { text: 'hello', spans: [], attachments: [] },
      },
    ]);
  });

  it('without a server is direct and shows the global name', () => {
    const { guild_id: _, member: __, ...direct } = message;
    expect(decode(envelope('MESSAGE_CREATE', direct))).toMatchObject([
      { chat: { kind: 'direct' }, sender: { displayName: 'Ada L.' } },
    ]);
  });

  it('shows mentioned channels and roles, also in a forward, with the names stored with it', () => {
    const mentions = JSON.stringify({ '#7': 'general', '@&8': '@everyone' });
    const read = (changes: object, facts: Record<string, string>) =>
      decode(envelope('MESSAGE_CREATE', { ...message, ...changes }, facts));
    const text = '<#7> <@&8> <#9>';
    const expected = [{ content: { text: '#general @everyone #unknown' } }];
    expect(read({ content: text }, { mentions })).toMatchObject(expected);
    const message_snapshots = [{ message: { content: text } }];
    expect(read({ content: '', message_snapshots }, { mentions })).toMatchObject(expected);
    expect(read({ content: text }, { mentions: 'broken' })).toMatchObject([
      { content: { text: '#unknown @unknown-role #unknown' } },
    ]);
  });

  it('that responds to a command is an ordinary message', () => {
    for (const type of [20, 23])
      expect(create({ type, author: { ...author, bot: true } })).toMatchObject([
        { type: 'message', content: { text: 'hello' }, sender: { isBot: true } },
      ]);
  });

  it('shows mentioned people with their names', () => {
    const mentions = [{ ...author, id: '5', global_name: null, username: 'bob' }];
    expect(create({ content: 'ask <@5> or <@!6>', mentions })).toMatchObject([
      {
        content: {
          text: 'ask @bob or @unknown-user',
          spans: [
            { mark: 'mention', start: 4, end: 8, value: '5' },
            { mark: 'mention', start: 12, end: 25, value: '6' },
          ],
        },
      },
    ]);
  });

  it('that is a reply names the message replied to', () => {
    const message_reference = { type: 0, message_id: '13', channel_id: '1098765432109876543' };
    expect(create({ type: 19, message_reference })).toMatchObject([{ replyToId: '13' }]);
  });

  it('that is forwarded shows the original text and is not a reply', () => {
    const changes = {
      content: '',
      message_reference: { type: 1, message_id: '13', channel_id: '14' },
      message_snapshots: [{ message: { content: 'as I said' } }],
    };
    const [event] = create(changes);
    const spans = [{ mark: 'quote', start: 0, end: 9 }];
    expect(event).toMatchObject({ type: 'message', content: { text: 'as I said', spans } });
    expect(event).not.toHaveProperty('replyToId');
  });

  it('lists its files and stickers with references that contain no link', () => {
    const attachments = [
      {
        id: '77',
        filename: 'plan.png',
        content_type: 'image/png',
        size: 1234,
        url: 'https://cdn.discordapp.com/attachments/1/77/plan.png?ex=1&is=2&hm=3',
        proxy_url: 'https://media.discordapp.net/attachments/1/77/plan.png',
        description: 'the plan',
      },
      { id: '78', filename: 'data.bin', size: 9, url: 'https://cdn.discordapp.com/x', proxy_url: '' },
    ];
    const sticker_items = [{ id: '99', name: 'Wave', format_type: 1 }];
    const [event] = create({ content: 'see', attachments, sticker_items });
    expect(event).toMatchObject({
      content: {
        text: 'see',
        attachments: [
          {
            type: 'image',
            remoteRef: '1098765432109876543/1345678901234567890/77',
            name: 'plan.png',
            mimeType: 'image/png',
            sizeBytes: 1234,
            altText: 'the plan',
          },
          { type: 'file', name: 'data.bin', sizeBytes: 9 },
          { type: 'sticker', name: 'Wave' },
        ],
      },
    });
    expect(JSON.stringify(event)).not.toContain('https://cdn.discordapp.com/attachments');
  });

  it('is an echo only if the bot or its own webhook wrote it', () => {
    expect(create({ author: { ...author, id: SELF } })).toMatchObject([{ echo: true }]);
    expect(create({ webhook_id: '44', application_id: APPLICATION })).toMatchObject([{ echo: true }]);
    expect(create({ webhook_id: '44', application_id: '45' })[0]).not.toHaveProperty('echo');
    expect(create({ author: { ...author, bot: true } })).toMatchObject([{ sender: { isBot: true } }]);
  });

  it('of another type or without content is unsupported', () => {
    expect(create({ type: 7 })).toEqual([{ type: 'unsupported', what: 'message type 7' }]);
    expect(create({ content: '' })).toEqual([{ type: 'unsupported', what: 'message without content' }]);
  });
});

describe('other Discord events', () => {
  const edited_timestamp = '2026-03-01T10:01:00.500000+00:00';

  it('include edits with the time of the edit', () => {
    const update = { ...message, content: 'hello!', edited_timestamp };
    expect(decode(envelope('MESSAGE_UPDATE', update))).toMatchObject([
      {
        type: 'message_edited',
        messageId: message.id,
        at: '2026-03-01T10:01:00.500Z',
        content: { text: 'hello!' },
      },
    ]);
  });

  it('treat a pin of an edited message as no edit, and an edit of a pinned message as one', () => {
    const pinned = { ...message, content: 'hello!', pinned: true };
    const update = (edited: string) =>
      decode(envelope('MESSAGE_UPDATE', { ...pinned, edited_timestamp: edited }));
    expect(update('2026-03-01T09:00:00.000000+00:00')).toMatchObject([{ type: 'unsupported' }]);
    expect(update('2026-03-01T10:00:04.000000+00:00')).toMatchObject([{ type: 'message_edited' }]);
  });

  it('report an edit that leaves neither text nor file as unsupported', () => {
    expect(decode(envelope('MESSAGE_UPDATE', { ...message, content: '', edited_timestamp }))).toMatchObject([
      { type: 'unsupported' },
    ]);
  });

  it('report an update that only adds an embed as unsupported', () => {
    const update = { ...message, embeds: [{ type: 'link', url: 'https://example.com' }] };
    expect(decode(envelope('MESSAGE_UPDATE', update))).toMatchObject([{ type: 'unsupported' }]);
  });

  it('include single and bulk deletions with the time of receipt', () => {
    const place = { channel_id: '10', guild_id: '20' };
    expect(decode(envelope('MESSAGE_DELETE', { id: '1', ...place }))).toEqual([
      {
        ...{ type: 'message_deleted', chat: { id: '10', kind: 'group' }, at: RECEIVED_AT, messageId: '1' },
        ...{ sequence: 7, authority: 'platform' },
      },
    ]);
    expect(decode(envelope('MESSAGE_DELETE_BULK', { ids: ['1', '2'], ...place }))).toMatchObject([
      { messageId: '1' },
      { messageId: '2' },
    ]);
  });

  it("include reactions with the emoji or the custom name, and mark the bot's own as echo", () => {
    const base = { user_id: '5', channel_id: '10', message_id: '11', guild_id: '20', burst: false, type: 0 };
    const member = { nick: null, user: { ...author, id: '5' } };
    expect(
      decode(envelope('MESSAGE_REACTION_ADD', { ...base, member, emoji: { id: null, name: '👍' } })),
    ).toMatchObject([
      { type: 'reaction', emoji: '👍', change: 'added', messageId: '11', sender: { displayName: 'Ada L.' } },
    ]);
    const custom = { ...base, user_id: SELF, emoji: { id: '41', name: 'blob_wave' } };
    expect(decode(envelope('MESSAGE_REACTION_REMOVE', custom))).toMatchObject([
      { emoji: ':blob_wave:', change: 'removed', echo: true },
    ]);
  });

  it('have no user name if Discord sends none', () => {
    const emoji = { id: null, name: '👍' };
    const taken = { user_id: '5', channel_id: '10', message_id: '11', guild_id: '20', emoji };
    const typed = { user_id: '5', channel_id: '10' };
    for (const dispatch of [envelope('MESSAGE_REACTION_REMOVE', taken), envelope('TYPING_START', typed)]) {
      expect(decode(dispatch)[0]).toHaveProperty('sender', { id: '5' });
    }
  });

  it('include a gap with its start', () => {
    const payload = { t: 'GAP', since: RECEIVED_AT, reason: 'Invalid session' };
    expect(decode({ dedupeKey: 'k', lane: 'l', payload })).toEqual([
      { type: 'gap', since: RECEIVED_AT, reason: 'Invalid session' },
    ]);
  });
});

describe('decoding a Discord envelope', () => {
  it('never throws for any JSON', () => {
    const types = fc.constantFrom(
      'MESSAGE_CREATE',
      'MESSAGE_UPDATE',
      'MESSAGE_DELETE',
      'INTERACTION_CREATE',
      'TYPING_START',
      'GUILD_MEMBER_ADD',
      'THREAD_UPDATE',
      'GAP',
      '__proto__',
      'X',
    );
    const payload = fc.oneof(fc.jsonValue(), fc.record({ t: types, d: fc.jsonValue() }));
    fc.assert(
      fc.property(payload, (value) => {
        const events = decode({ dedupeKey: 'k', lane: 'l', payload: value as JsonValue });
        expect(events.length).toBeGreaterThan(0);
      }),
    );
  });

  it('tolerates any single malformed field', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(message)), fc.jsonValue(), (field, value) => {
        expect(create({ [field]: value })[0]).toHaveProperty('type');
      }),
    );
  });

  it('returns equal events for the same envelope', () => {
    const stored = envelope('MESSAGE_CREATE', message);
    expect(decode(stored)).toEqual(decode(structuredClone(stored)));
  });
});
