import { decodeEnvelope as decodeSlack } from '../../../adapters/slack/inbound/decode.js';
import { toEnvelope } from '../../../adapters/slack/ingress/intake.js';
import type { JsonObject, JsonValue } from '../../../src/contract/index.js';
import { cases, many, pieces } from './inbound-case.js';

const CHANNEL = 'C123ABC456';

const slackSaid = (more: JsonObject): JsonObject => ({
  type: 'message',
  channel: CHANNEL,
  channel_type: 'channel',
  user: 'U061F7AUR',
  text: '',
  ts: '1355517523.000005',
  event_ts: '1355517523.000005',
  ...more,
});

function readSlack(event: JsonObject): unknown {
  const body = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event_time: 1_355_517_523, event };
  return decodeSlack(toEnvelope(body, { self_user: 'U0BOT', self_bot: 'B0BOT', 'name.U061F7AUR': 'Ann' }));
}

const richText = (...elements: JsonValue[]): JsonObject =>
  slackSaid({ blocks: [{ type: 'rich_text', elements }] });
const section = (text: JsonValue): JsonObject =>
  slackSaid({ bot_id: 'B1', blocks: [{ type: 'section', text }] });
const card = (attachment: JsonObject): JsonObject => slackSaid({ bot_id: 'B1', attachments: [attachment] });

export const slackCases = cases('slack', readSlack, {
  text: (text) => slackSaid({ text }),
  'text of an edit': (text) =>
    slackSaid({
      subtype: 'message_changed',
      message: slackSaid({ text, edited: { user: 'U061F7AUR', ts: '1355517524.0' } }),
      previous_message: slackSaid({ text }),
    }),
  'section mrkdwn': (text) => section({ type: 'mrkdwn', text }),
  'section plain_text': (text) => section({ type: 'plain_text', text }),
  'markdown block': (text) => slackSaid({ bot_id: 'B1', blocks: [{ type: 'markdown', text }] }),
  'rich text': (text) => richText({ type: 'rich_text_section', elements: [{ type: 'text', text }] }),
  'rich text elements': (text) =>
    richText({
      type: 'rich_text_section',
      elements: many(text, 64, (piece) => ({
        type: 'text',
        text: piece,
        style: { bold: true, italic: true },
      })),
    }),
  'rich text lists': (text) =>
    richText(
      ...many(text, 128, (piece, index) => ({
        type: 'rich_text_list',
        style: 'ordered',
        indent: index % 9,
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: piece }] }],
      })),
    ),
  'rich text links': (text) =>
    richText({
      type: 'rich_text_quote',
      elements: many(text, 64, (piece) => ({ type: 'link', url: 'https://a.example/', text: piece })),
    }),
  'attachment text': (text) => card({ text, fallback: text.slice(0, 10), mrkdwn_in: ['text'] }),
  'attachment pretext': (text) => card({ pretext: text, title: 'x', title_link: 'https://a.example/' }),
  'attachment fields': (text) =>
    card({ fields: many(text, 64, (piece) => ({ title: piece, value: `*${piece}*`, short: true })) }),
  attachments: (text) =>
    slackSaid({ attachments: many(text, 96, (piece) => ({ text: piece, fallback: piece })) }),
  'shared text': (text) => card({ is_share: true, author_name: 'Ann', text }),
  blocks: (text) =>
    slackSaid({
      bot_id: 'B1',
      blocks: many(text, 96, (piece) => ({ type: 'section', text: { type: 'mrkdwn', text: piece } })),
    }),
  'table cells': (text) =>
    slackSaid({
      blocks: [
        {
          type: 'table',
          rows: many(text, 128, (piece) => [
            { type: 'raw_text', text: piece },
            { type: 'raw_text', text: '' },
          ]),
        },
      ],
    }),
  'a text beside a table': (text) =>
    slackSaid({
      text: `${text.slice(0, text.length / 2)}\u0000`,
      blocks: [{ type: 'table', rows: many(text, 128, () => [{ type: 'raw_text', text: '\u0000' }]) }],
    }),
  'blocks of legal size': (text) =>
    slackSaid({
      bot_id: 'B1',
      blocks: pieces(text, 40_000).map((piece) => ({
        type: 'section',
        text: { type: 'mrkdwn', text: piece },
      })),
    }),
  'markdown blocks of legal size': (text) =>
    slackSaid({
      bot_id: 'B1',
      blocks: pieces(text, 12_000).map((piece) => ({ type: 'markdown', text: piece })),
    }),
  'attachments of legal size': (text) =>
    slackSaid({
      bot_id: 'B1',
      attachments: pieces(text, 40_000).map((piece) => ({ pretext: piece, fallback: piece })),
    }),
  'fields of legal size': (text) =>
    card({ fields: pieces(text, 8_000).map((piece) => ({ title: piece.slice(0, 50), value: piece })) }),
  'shares of legal size': (text) =>
    slackSaid({
      attachments: pieces(text, 40_000).map((piece) => ({ is_share: true, author_name: 'Ann', text: piece })),
    }),
  'table cells of legal size': (text) =>
    slackSaid({
      blocks: [
        { type: 'table', rows: pieces(text, 3_000).map((piece) => [{ type: 'mrkdwn', text: piece }]) },
      ],
    }),
  'rich text of legal size': (text) =>
    richText({
      type: 'rich_text_section',
      elements: pieces(text, 3_000).map((piece) => ({ type: 'text', text: piece })),
    }),
  'files of legal size': (text) =>
    slackSaid({
      subtype: 'file_share',
      files: pieces(text, 255).map((piece, i) => ({ id: `F${i}`, name: piece, mimetype: 'text/plain' })),
    }),
  files: (text) =>
    slackSaid({
      subtype: 'file_share',
      files: many(text, 128, (piece, i) => ({ id: `F${i}`, name: piece, mimetype: 'text/plain' })),
    }),
  reaction: (text) => ({
    type: 'reaction_added',
    user: 'U061F7AUR',
    reaction: text,
    item: { type: 'message', channel: CHANNEL, ts: '1355517523.000005' },
    event_ts: '1355517523.000006',
  }),
});
