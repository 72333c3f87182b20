import { decodeEnvelope } from '../../adapters/slack/inbound/decode.js';
import { toEnvelope } from '../../adapters/slack/ingress/intake.js';
import type { InboundEvent, JsonObject } from '../../src/contract/index.js';

export const slackContext = {
  self_user: 'U0BOT',
  self_bot: 'B0BOT',
  received_at: '2026-01-01T00:00:00.000Z',
  'name.U1ANN': 'Ann',
  'name.U2BOB': 'Bob',
  'title.C1': 'general',
  'group.S1': 'engineers',
};

const said = {
  type: 'message',
  channel: 'C1',
  channel_type: 'channel',
  user: 'U1ANN',
  text: '',
  ts: '1355517523.000005',
  event_ts: '1355517523.000005',
} satisfies JsonObject;

/** The first event that a body with this inner event decodes to. */
export function decodeSlackEvent(event: JsonObject): InboundEvent | undefined {
  const body = { type: 'event_callback', event_id: 'Ev1', api_app_id: 'A1', event };
  return decodeEnvelope(toEnvelope(body, slackContext))[0];
}

/** The content of a person's message with these fields. */
export function slackContent(fields: JsonObject) {
  const event = decodeSlackEvent({ ...said, ...fields });
  if (event?.type !== 'message') throw new Error(`decoded as ${event?.type}`);
  return event.content;
}

/** The content of a bot's message with these fields. */
export const slackBotContent = (fields: JsonObject) =>
  slackContent({ subtype: 'bot_message', bot_id: 'B9', username: 'CI', user: null, ...fields });

/** The content of an edit to these fields. */
export function slackEditedContent(fields: JsonObject) {
  const message = { ...said, ...fields };
  const edit = {
    subtype: 'message_changed',
    channel: 'C1',
    ts: '1355517600.000001',
    message,
    type: 'message',
  };
  const event = decodeSlackEvent(edit);
  if (event?.type !== 'message_edited') throw new Error(`decoded as ${event?.type}`);
  return event.content;
}
