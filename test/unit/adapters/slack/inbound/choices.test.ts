import { describe, expect, it } from 'vitest';
import { decodeEnvelope } from '../../../../../adapters/slack/inbound/decode.js';
import { toEnvelope } from '../../../../../adapters/slack/ingress/intake.js';
import type { JsonObject } from '../../../../../src/contract/index.js';
import { slackContext } from '../../../../support/slack-decode.js';

function act(action: JsonObject, container: JsonObject = { message_ts: '5.000001' }) {
  const body = {
    type: 'block_actions',
    trigger_id: 'x',
    user: { id: 'U1ANN' },
    channel: { id: 'C1', name: 'general' },
    container,
    actions: [{ action_id: 'the_action', ...action }],
  };
  const [event] = decodeEnvelope(toEnvelope(body, slackContext));
  if (event?.type !== 'message') throw new Error(`decoded as ${event?.type}`);
  return event;
}

const option = (text: string, type = 'plain_text') => ({ text: { type, text }, value: `v-${text}` });

describe('A choice in Slack', () => {
  it.each<[string, JsonObject, string]>([
    ['a button', { type: 'button', text: { type: 'plain_text', text: 'Yes' }, value: 'y' }, 'Yes'],
    ['a menu', { type: 'static_select', selected_option: option('Tea') }, 'Tea'],
    [
      'a menu of several',
      { type: 'multi_static_select', selected_options: [option('Tea'), option('Milk')] },
      'Tea, Milk',
    ],
    [
      'boxes',
      { type: 'checkboxes', selected_options: [option('*Fast*', 'mrkdwn'), option('Safe')] },
      'Fast, Safe',
    ],
    ['no box any more', { type: 'checkboxes', selected_options: [] }, '[nothing chosen]'],
    ['a person', { type: 'users_select', selected_user: 'U2BOB' }, '@Bob'],
    ['people', { type: 'multi_users_select', selected_users: ['U2BOB', 'U1ANN'] }, '@Bob, @Ann'],
    ['a conversation', { type: 'conversations_select', selected_conversation: 'C1' }, '#general'],
    [
      'conversations',
      { type: 'multi_conversations_select', selected_conversations: ['C1', 'U2BOB'] },
      '#general, @Bob',
    ],
    ['a channel', { type: 'channels_select', selected_channel: 'C1' }, '#general'],
    ['a day', { type: 'datepicker', selected_date: '2026-01-02' }, '2026-01-02'],
    ['a moment', { type: 'datetimepicker', selected_date_time: 1392734382 }, '2014-02-18 2:39 PM UTC'],
    ['written words', { type: 'plain_text_input', value: 'two teas' }, 'two teas'],
    ['nothing with words', { type: 'button' }, 'the_action'],
  ])('of %s is shown in the words that the person saw', (_, action, text) => {
    expect(act(action).content.text).toBe(text);
  });

  it('keeps the formatting of a label in mrkdwn', () => {
    expect(act({ selected_options: [option('*Fast*', 'mrkdwn')] }).content.spans).toEqual([
      { mark: 'bold', start: 0, end: 4 },
    ]);
  });

  it('belongs to the thread of its message', () => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Yes' } };
    const inThread = act(button, { message_ts: '5.000001', thread_ts: '1.000001' });
    expect(inThread).toMatchObject({ chat: { threadId: '1.000001' }, replyToId: '5.000001' });
    expect(act(button, { message_ts: '5.000001', thread_ts: '5.000001' }).chat).not.toHaveProperty(
      'threadId',
    );
  });
});
