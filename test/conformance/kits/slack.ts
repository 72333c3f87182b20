import { slackDefinition } from '../../../adapters/slack/definition.js';
import { blocksSchema, parseBlocks } from '../../../adapters/slack/inbound/from-blocks.js';
import { toEnvelope } from '../../../adapters/slack/ingress/intake.js';
import { SlackSimulator } from '../../../adapters/slack/simulator/index.js';
import type { Envelope, JsonObject, PartStep } from '../../../src/contract/index.js';
import type { Simulator } from '../../../src/contract/simulation/index.js';
import { type ConformanceKit, defineKit } from '../../../src/testing/index.js';
import { builtModule } from './built-module.js';

const context = {
  self_user: 'U0BOT',
  self_bot: 'B0BOT',
  'name.U061F7AUR': 'Ann',
  'title.C123ABC456': 'general',
};
const said = {
  type: 'message',
  channel: 'C123ABC456',
  channel_type: 'channel',
  user: 'U061F7AUR',
  text: 'Live *long* and prospect.',
  ts: '1355517523.000005',
  event_ts: '1355517523.000005',
  team: 'T123ABC456',
};
const file = {
  id: 'F1',
  name: 'a.png',
  mimetype: 'image/png',
  size: 9,
  url_private: 'https://files.slack.com/a.png',
};

/** Inner events in the shapes of docs.slack.dev/reference/events. */
const events: readonly JsonObject[] = [
  said,
  { ...said, ts: '1355517524.000005', channel: 'D123ABC456', channel_type: 'im' },
  { ...said, ts: '1355517525.000005', thread_ts: '1355517523.000005' },
  { ...said, ts: '1355517526.000005', subtype: 'file_share', files: [file] },
  {
    ...said,
    ts: '1355517527.000005',
    subtype: 'message_changed',
    hidden: true,
    message: { ...said, text: 'Changed', edited: { user: 'U061F7AUR', ts: '1355517527.000000' } },
    previous_message: said,
  },
  {
    ...said,
    ts: '1355517528.000005',
    subtype: 'message_deleted',
    hidden: true,
    deleted_ts: said.ts,
    previous_message: said,
  },
  {
    type: 'member_joined_channel',
    user: 'U061F7AUR',
    channel: 'C123ABC456',
    channel_type: 'C',
    team: 'T123ABC456',
    event_ts: '1355517529.000005',
  },
  {
    type: 'channel_rename',
    channel: { id: 'C123ABC456', name: 'renamed', created: 1 },
    event_ts: '1355517530.000005',
  },
  { type: 'app_uninstalled', event_ts: '1355517531.000005' },
];
const corpus: readonly Envelope[] = events.map((event, place) =>
  toEnvelope(
    {
      token: 'verification',
      team_id: 'T123ABC456',
      api_app_id: 'A123ABC456',
      type: 'event_callback',
      event_id: `Ev123ABC${place}`,
      event_time: 1_355_517_523 + place,
      authorizations: [{ enterprise_id: null, team_id: 'T123ABC456', user_id: 'U0BOT', is_bot: true }],
      event,
    },
    context,
  ),
);

/** People see the blocks. The recommended length applies to the text in them without markup. */
function read({ kind, payload }: PartStep) {
  if (kind !== 'text') return undefined;
  const content = parseBlocks(blocksSchema.parse(payload.blocks), {
    user: () => undefined,
    channel: () => undefined,
  });
  return { counted: content.text, content };
}

const kit = (ingress: 'webhook' | 'gateway'): ConformanceKit =>
  defineKit({
    name: `slack, ${ingress}`,
    definition: slackDefinition,
    module: builtModule('adapters/slack/definition.js', 'slackDefinition'),
    simulator: () => new SlackSimulator({ limits: 'none', retriesMs: [20, 100, 300, 1_000] }),
    account: (simulator: Simulator) =>
      ingress === 'gateway' ? (simulator as SlackSimulator).accountForGateway() : simulator.account(),
    read,
    corpus,
    pinned: [
      {
        envelope: corpus[2] as Envelope,
        chatId: 'C123ABC456',
        reads: { chat: { threadId: '1355517523.000005' }, replyToId: '1355517523.000005' },
      },
      {
        envelope: corpus[6] as Envelope,
        chatId: 'C123ABC456',
        reads: { type: 'membership', change: 'joined', user: { id: 'U061F7AUR' } },
      },
      {
        envelope: corpus[0] as Envelope,
        chatId: 'C123ABC456',
        messageId: '1355517523.000005',
        userId: 'U061F7AUR',
        reads: { content: { spans: [{ mark: 'bold' }] } },
      },
      {
        envelope: corpus[3] as Envelope,
        chatId: 'C123ABC456',
        reads: { content: { attachments: [{ type: 'image' }] } },
      },
    ],
    signature: {
      header: 'x-slack-signature',
      timestampHeader: 'x-slack-request-timestamp',
      coversBody: true,
    },
    groupMentions: ['<!channel>', '<!here>', '<!everyone>', '@channel'],
  });

export const slackKits = [kit('webhook'), kit('gateway')];
