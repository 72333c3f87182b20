import { decode as decodeDiscord } from '../../adapters/discord/inbound/decode.js';
import { slackDefinition } from '../../adapters/slack/definition.js';
import { decodeEnvelope as decodeSlack } from '../../adapters/slack/inbound/decode.js';
import { decode as decodeTelegram } from '../../adapters/telegram/inbound/decode.js';
import type { Envelope, InboundEvent, JsonValue } from '../../src/contract/index.js';

const steps = ['message', 'edit 1', 'edit 2', 'added', 'removed', 'added again', 'deletion'] as const;
export type Step = (typeof steps)[number];

/** How a platform reports the changes of one message, in its real payloads. */
export interface ChangeDialect {
  readonly platform: string;
  readonly chat: string;
  readonly redeliveryS: number | undefined;
  readonly decode: (envelope: Envelope) => readonly InboundEvent[];
  /** The payload of a step and the adapter's context; undefined if the platform does not report it. */
  readonly payload: (
    step: Step,
    chat: string,
    message: number,
    text: string,
  ) => { payload: JsonValue; context: Record<string, string> } | undefined;
}

const reactionChange = (step: Step) => (step === 'removed' ? 'removed' : 'added');

/** Slack guarantees no order, only that the times differ by microseconds. */
const slack: ChangeDialect = {
  platform: 'slack',
  chat: 'C1',
  redeliveryS: slackDefinition.redeliveryS,
  decode: decodeSlack,
  payload: (step, channel, message, text) => {
    const ts = `${1_700_000_000 + message}.000100`;
    const event_ts = `${1_700_000_000 + message}.00020${steps.indexOf(step)}`;
    const body = (said: string) => ({ type: 'message', user: 'U1', text: said, ts });
    const place = { channel, channel_type: 'channel', event_ts };
    const events: Record<string, JsonValue> = {
      message: { ...body(text), ...place, event_ts: ts },
      deletion: { type: 'message', subtype: 'message_deleted', ...place, ts: event_ts, deleted_ts: ts },
    };
    const edit: JsonValue = {
      ...{ type: 'message', subtype: 'message_changed', ...place, ts: event_ts },
      message: { ...body(text), edited: { user: 'U1', ts: `${1_700_000_000 + message}.000000` } },
      previous_message: body('before'),
    };
    const reaction: JsonValue = {
      ...{ type: `reaction_${reactionChange(step)}`, user: 'U2', reaction: 'eyes', event_ts },
      item: { type: 'message', channel, ts },
    };
    const event = events[step] ?? (step.startsWith('edit') ? edit : reaction);
    return { payload: { type: 'event_callback', api_app_id: 'A1', event }, context: {} };
  },
};

/** Telegram's times are in seconds, so that all steps have the same time. It does not report deletions to bots. */
const telegram: ChangeDialect = {
  platform: 'telegram',
  chat: '-100',
  redeliveryS: undefined,
  decode: decodeTelegram,
  payload: (step, chatId, message, text) => {
    if (step === 'deletion') return undefined;
    const chat = { id: Number(chatId), type: 'supergroup', title: 'Room' };
    const user = (id: number) => ({ id, is_bot: false, first_name: `P${id}` });
    const date = 1_700_000_000;
    const said = { message_id: message + 1, chat, from: user(1), date, text };
    const emoji = [{ type: 'emoji', emoji: '👀' }];
    const [before, after] = reactionChange(step) === 'removed' ? [emoji, []] : [[], emoji];
    const bodies: Record<string, Record<string, JsonValue>> = {
      message: { message: said },
      'edit 1': { edited_message: { ...said, edit_date: date } },
      'edit 2': { edited_message: { ...said, edit_date: date } },
    };
    const reaction = {
      message_reaction: {
        ...{ chat, message_id: message + 1, user: user(2), date },
        ...{ old_reaction: before, new_reaction: after },
      },
    };
    const payload = { update_id: 1000 + steps.indexOf(step), ...(bodies[step] ?? reaction) };
    return { payload, context: { bot_id: '9' } };
  },
};

/** Discord's reactions have no time. They get the time of receipt, and the place in the session decides. */
const discord: ChangeDialect = {
  platform: 'discord',
  chat: '100',
  redeliveryS: undefined,
  decode: decodeDiscord,
  payload: (step, channel_id, message, text) => {
    const place = { channel_id, guild_id: '20' };
    const id = String(message);
    const author = { id: '1', username: 'ada' };
    const said = { id, ...place, author, content: text, type: 0, timestamp: '2026-01-01T00:00:00.000Z' };
    const edited = (edited_timestamp: string) => ({ ...said, edited_timestamp });
    const reaction = { user_id: '2', message_id: id, ...place, emoji: { id: null, name: '👀' } };
    const [t, d] = {
      message: ['MESSAGE_CREATE', said],
      'edit 1': ['MESSAGE_UPDATE', edited('2026-01-01T00:00:01.000100+00:00')],
      'edit 2': ['MESSAGE_UPDATE', edited('2026-01-01T00:00:01.000900+00:00')],
      added: ['MESSAGE_REACTION_ADD', reaction],
      removed: ['MESSAGE_REACTION_REMOVE', reaction],
      'added again': ['MESSAGE_REACTION_ADD', reaction],
      deletion: ['MESSAGE_DELETE', { id, ...place }],
    }[step] as [string, JsonValue];
    return {
      payload: { t, s: 100 + steps.indexOf(step), d },
      context: { self: '9', received_at: '2026-01-01T00:00:02.000Z' },
    };
  },
};

/**
 * A platform like Matrix: every event has an id, and a redaction names only the event that it removes, which is a message or a
 * reaction.
 */
const matrix: ChangeDialect = {
  platform: 'matrix',
  chat: '!room',
  redeliveryS: 86_400,
  decode: ({ payload }) => {
    const { type, event_id, sender, origin_server_ts, content, redacts } = payload as Record<string, never>;
    const [id, at] = [String(event_id), new Date(Number(origin_server_ts)).toISOString()];
    const common = { chat: { id: '!room', kind: 'group' }, at, sender: { id: sender } };
    const { body, relates_to } = (content ?? {}) as { body?: string; relates_to?: Record<string, string> };
    if (type === 'redaction')
      return [
        { ...common, type: 'message_deleted', messageId: redacts },
        { ...common, type: 'reaction', change: 'removed', reactionId: redacts },
      ] as never;
    const { event_id: target, key } = relates_to ?? {};
    if (type === 'reaction') {
      const change = { change: 'added', messageId: target, emoji: key, reactionId: id };
      return [{ ...common, type, ...change }] as never;
    }
    const said = { text: body ?? '', spans: [], attachments: [] };
    return [
      target === undefined
        ? { ...common, type: 'message', messageId: id, content: said }
        : { ...common, type: 'message_edited', messageId: target, content: said },
    ] as never;
  },
  payload: (step, _chat, message, text) => {
    const [id, ts] = [(name: string) => `$${message}-${name}`, 1_700_000_000_000 + steps.indexOf(step)];
    const event = { event_id: id(step), origin_server_ts: ts };
    const relates_to = { event_id: id('message'), key: '👀' };
    const said: JsonValue = { ...event, sender: '@ada', type: 'message', content: { body: text } };
    const edit: JsonValue = { ...said, content: { body: text, relates_to: { event_id: id('message') } } };
    const reaction: JsonValue = { ...event, sender: '@bob', type: 'reaction', content: { relates_to } };
    const redaction = (sender: string, redacts: string): JsonValue => ({
      ...{ ...event, sender, type: 'redaction', redacts },
    });
    const payloads: Record<Step, JsonValue> = {
      ...{ message: said, 'edit 1': edit, 'edit 2': edit, added: reaction, 'added again': reaction },
      ...{ removed: redaction('@bob', id('added')), deletion: redaction('@ada', id('message')) },
    };
    return { payload: payloads[step], context: {} };
  },
};

export const changeDialects = [slack, telegram, discord, matrix] as const;
