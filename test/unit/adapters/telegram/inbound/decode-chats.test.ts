import type { ChatMember } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import {
  AT,
  ada,
  BOT_ID,
  bot,
  DATE,
  decoded,
  inGroup,
  privateChat,
  smallGroup,
  supergroup,
} from '../fixtures.js';

const sender = { id: '700001', displayName: 'Ada Lovelace', handle: 'ada', locale: 'en' };

describe('Telegram updates about chats and people', () => {
  const member: ChatMember = { status: 'member', user: bot };
  const kicked: ChatMember = { status: 'kicked', user: bot, until_date: 0 };

  it('become an opt-out when a person blocks the bot, and an opt-in when the person unblocks it', () => {
    const change = { chat: privateChat, from: ada, date: DATE };
    expect(
      decoded({ my_chat_member: { ...change, old_chat_member: member, new_chat_member: kicked } }),
    ).toEqual([
      {
        type: 'consent',
        chat: { id: '700001', kind: 'direct', title: 'Ada Lovelace' },
        at: AT,
        user: sender,
        change: 'opted_out',
      },
    ]);
    expect(
      decoded({ my_chat_member: { ...change, old_chat_member: kicked, new_chat_member: member } }),
    ).toMatchObject([{ type: 'consent', change: 'opted_in' }]);
  });

  it('report when the bot itself is added to a group or removed', () => {
    const change = { chat: supergroup, from: ada, date: DATE };
    expect(
      decoded({
        my_chat_member: {
          ...change,
          old_chat_member: { status: 'left', user: bot },
          new_chat_member: member,
        },
      }),
    ).toMatchObject([{ type: 'membership', change: 'joined', self: true, user: { id: BOT_ID } }]);
    expect(
      decoded({ my_chat_member: { ...change, old_chat_member: member, new_chat_member: kicked } }),
    ).toMatchObject([{ type: 'membership', change: 'left', self: true }]);
  });

  it('report who joined and left, except the bot, which has its own update', () => {
    const bob = { id: 3, is_bot: false, first_name: 'Bob' };
    expect(decoded({ message: inGroup({ new_chat_members: [bob, bot] }) })).toMatchObject([
      { type: 'membership', change: 'joined', user: { id: '3', displayName: 'Bob' } },
    ]);
    expect(decoded({ message: inGroup({ left_chat_member: bob }) })).toMatchObject([
      { type: 'membership', change: 'left', user: { id: '3' } },
    ]);
  });

  it('do not report a change of rights as joining or leaving', () => {
    const restricted = { status: 'restricted', user: ada, is_member: true } as ChatMember;
    expect(
      decoded({
        chat_member: {
          chat: supergroup,
          from: ada,
          date: DATE,
          old_chat_member: { status: 'member', user: ada },
          new_chat_member: restricted,
        },
      }),
    ).toEqual([{ type: 'unsupported', what: 'chat_member.rights' }]);
  });

  it('report that a group became a supergroup', () => {
    const message = {
      message_id: 8,
      from: ada,
      chat: smallGroup,
      date: DATE,
      migrate_to_chat_id: -1002000500001,
    };
    expect(decoded({ message })).toEqual([
      {
        type: 'chat_moved',
        chat: { id: '-500001', kind: 'group', title: 'Small group' },
        at: AT,
        toChatId: '-1002000500001',
        renumbered: true,
      },
    ]);
  });

  it('report the migration from the message in the supergroup too', () => {
    const message = inGroup({ migrate_from_chat_id: -500001 });
    const [event] = decoded({ message });
    expect(event).toMatchObject({
      type: 'chat_moved',
      chat: { id: '-500001', kind: 'group' },
      toChatId: String(message.chat.id),
      renumbered: true,
    });
  });

  it('report a new title', () => {
    expect(decoded({ message: inGroup({ new_chat_title: 'War room' }) })).toMatchObject([
      { type: 'chat_renamed', title: 'War room' },
    ]);
  });

  it('report which reactions were added and removed', () => {
    expect(
      decoded({
        message_reaction: {
          chat: supergroup,
          message_id: 40,
          user: ada,
          date: DATE,
          old_reaction: [
            { type: 'emoji', emoji: '👍' },
            { type: 'emoji', emoji: '🎉' },
          ],
          new_reaction: [
            { type: 'emoji', emoji: '🎉' },
            { type: 'emoji', emoji: '🔥' },
            { type: 'custom_emoji', custom_emoji_id: '5368324170671202286' },
          ],
        },
      }),
    ).toMatchObject([
      { type: 'reaction', messageId: '40', sender, emoji: '👍', change: 'removed' },
      { type: 'reaction', messageId: '40', emoji: '🔥', change: 'added' },
    ]);
  });
});
