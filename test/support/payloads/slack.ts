import type { JsonObject, JsonValue } from '../../../src/contract/index.js';

const ts = 1_770_000_000;

const sevent = (event: JsonObject) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  team_id: 'T1',
  api_app_id: 'A1',
  event_time: ts,
  authorizations: [{ user_id: 'U0BOT', is_bot: true, team_id: 'T1' }],
  event,
});
const smsg = {
  type: 'message',
  channel: 'C1',
  channel_type: 'channel',
  user: 'U1',
  text: 'Hi *b* <@U2|bob> <https://x.example|l> &lt;',
  ts: '1355517523.000005',
  event_ts: '1355517523.000005',
  blocks: [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'x', style: { bold: true } },
            { type: 'user', user_id: 'U2' },
            { type: 'emoji', name: 'smile', unicode: '1f604' },
            { type: 'date', timestamp: 5, format: '{date}' },
          ],
        },
        {
          type: 'rich_text_list',
          style: 'ordered',
          indent: 1,
          elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url: 'https://x.example' }] }],
        },
      ],
    },
    { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*x*' },
      fields: [{ type: 'plain_text', text: 'f' }],
      accessory: { type: 'image', image_url: 'https://x.example/a.png', alt_text: 'a' },
    },
    { type: 'markdown', text: '**x**' },
    {
      type: 'actions',
      elements: [{ type: 'button', text: { type: 'plain_text', text: 'B' }, url: 'https://x.example' }],
    },
  ],
  files: [
    {
      id: 'F1',
      name: 'a.png',
      mimetype: 'image/png',
      size: 5,
      mode: 'hosted',
      url_private: 'https://files.slack.com/a',
    },
  ],
  attachments: [
    {
      fallback: 'f',
      pretext: 'p',
      author_name: 'a',
      title: 't',
      title_link: 'https://x.example',
      text: 'x',
      fields: [{ title: 'a', value: 'b' }],
      footer: 'f',
      image_url: 'https://x.example/b.png',
      is_share: true,
      message_blocks: [{ message: { blocks: [] } }],
      ts: 5,
    },
  ],
};
/** Bodies with as many of the documented fields as possible (docs.slack.dev/reference/events). */
export const slackBodies: readonly JsonValue[] = [
  sevent(smsg),
  sevent({ ...smsg, subtype: 'bot_message', bot_id: 'B1', username: 'n', user: undefined }),
  sevent({ ...smsg, thread_ts: '1355517520.000001', subtype: 'thread_broadcast' }),
  sevent({
    type: 'message',
    subtype: 'message_changed',
    channel: 'C1',
    ts: '1355517530.000001',
    event_ts: '1355517530.000001',
    message: { ...smsg, edited: { user: 'U1', ts: '1355517529.000000' } },
    previous_message: { ...smsg, text: 'old', blocks: [] },
  }),
  sevent({
    type: 'message',
    subtype: 'message_deleted',
    channel: 'C1',
    ts: '1355517530.000001',
    deleted_ts: '1355517523.000005',
    previous_message: smsg,
  }),
  sevent({
    type: 'reaction_added',
    user: 'U1',
    reaction: '+1::skin-tone-3',
    item: { type: 'message', channel: 'C1', ts: '1355517523.000005' },
    event_ts: '1355517524.000005',
  }),
  sevent({
    type: 'member_joined_channel',
    user: 'U1',
    channel: 'C1',
    channel_type: 'C',
    event_ts: '1355517524.000005',
  }),
  sevent({
    type: 'channel_rename',
    channel: { id: 'C1', name: 'n', created: 1 },
    event_ts: '1355517524.000005',
  }),
  sevent({ type: 'channel_archive', channel: 'C1', user: 'U1', event_ts: '1355517524.000005' }),
  sevent({
    type: 'channel_id_changed',
    old_channel_id: 'G1',
    new_channel_id: 'C2',
    event_ts: '1355517524.000005',
  }),
  {
    command: '/x',
    text: 'a b',
    user_id: 'U1',
    user_name: 'u',
    channel_id: 'C1',
    channel_name: 'n',
    team_id: 'T1',
  },
  {
    type: 'block_actions',
    user: { id: 'U1', name: 'u' },
    channel: { id: 'C1', name: 'n' },
    container: { message_ts: '1355517523.000005', thread_ts: '1355517520.000005' },
    actions: [
      { type: 'button', text: { type: 'plain_text', text: 'B' }, value: 'v', action_id: 'a' },
      {
        type: 'multi_static_select',
        selected_options: [{ text: { type: 'mrkdwn', text: '*x*' }, value: 'x' }],
      },
      { type: 'datepicker', selected_date: '2026-01-01' },
    ],
  },
  { type: 'app_rate_limited', minute_rate_limited: 29503125 },
];
