import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEnvelope } from '../../../../../adapters/slack/inbound/decode.js';
import { toEnvelope } from '../../../../../adapters/slack/ingress/intake.js';
import type { JsonObject, JsonValue } from '../../../../../src/contract/index.js';

const context = {
  self_user: 'U0BOT',
  self_bot: 'B0BOT',
  'name.U061F7AUR': 'Ann',
  'handle.U061F7AUR': 'ann',
  'avatar.U061F7AUR': 'https://example.com/ann.png',
  'title.C123ABC456': 'general',
};

/** An outer body with the shape of docs.slack.dev/apis/events-api#event-object. */
function callback(event: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    token: 'z26uFbvR1xHJEdHE1OQiO6t8',
    team_id: 'T123ABC456',
    api_app_id: 'A123ABC456',
    type: 'event_callback',
    event_id: 'Ev123ABC456',
    event_time: 1355517523,
    authed_users: ['U0BOT'],
    authorizations: [{ enterprise_id: null, team_id: 'T123ABC456', user_id: 'U0BOT', is_bot: true }],
    is_ext_shared_channel: false,
    event_context: '4-eyJldCI6Im1lc3NhZ2UifQ',
    event,
    ...more,
  };
}

const said = {
  type: 'message',
  channel: 'C123ABC456',
  channel_type: 'channel',
  user: 'U061F7AUR',
  text: 'Live long and prospect.',
  ts: '1355517523.000005',
  event_ts: '1355517523.000005',
  team: 'T123ABC456',
  client_msg_id: 'c1',
  blocks: [{ type: 'rich_text', block_id: 'b', elements: [] }],
} satisfies JsonObject;

const decode = (event: JsonObject, more?: JsonObject) =>
  decodeEnvelope(toEnvelope(callback(event, more), context));
const decodeOne = (event: JsonObject) => decode(event)[0];

describe('Slack decode', () => {
  it('reads a plain message', () => {
    expect(decode(said)).toEqual([
      {
        type: 'message',
        chat: { id: 'C123ABC456', kind: 'channel', title: 'general' },
        at: '2012-12-14T20:38:43.000Z',
        messageId: '1355517523.000005',
        sender: {
          id: 'U061F7AUR',
          displayName: 'Ann',
          handle: 'ann',
          avatarUrl: 'https://example.com/ann.png',
        },
        content: { text: 'Live long and prospect.', spans: [], attachments: [] },
      },
    ]);
  });

  it('names the thread and the root of a reply, and for a broadcast reply only the root', () => {
    const reply = { ...said, thread_ts: '1355517500.000001', parent_user_id: 'U061F7AUR' };
    expect(decodeOne(reply)).toMatchObject({
      chat: { threadId: '1355517500.000001' },
      replyToId: '1355517500.000001',
    });
    const broadcast = decodeOne({ ...reply, subtype: 'thread_broadcast', root: {} });
    expect(broadcast).toMatchObject({ replyToId: '1355517500.000001' });
    expect(broadcast).not.toHaveProperty('chat.threadId');
  });

  it('does not treat the root of a thread as a reply to itself', () => {
    expect(decodeOne({ ...said, thread_ts: said.ts })).not.toHaveProperty('replyToId');
  });

  it('keeps the caption of a shared file and names the file without its private address', () => {
    const event = decodeOne({
      ...said,
      subtype: 'file_share',
      text: 'look',
      files: [
        {
          id: 'F1',
          name: 'cat.png',
          title: 'Cat',
          mimetype: 'image/png',
          size: 12,
          url_private: 'https://files.slack.com/files-pri/T-F1/cat.png',
        },
        { id: 'F2', name: null, title: 'Post', mimetype: 'text/plain', size: 3 },
      ],
    });
    expect(event).toMatchObject({
      content: {
        text: 'look',
        attachments: [
          { type: 'image', remoteRef: 'F1', name: 'cat.png', mimeType: 'image/png', sizeBytes: 12 },
          { type: 'file', remoteRef: 'F2', name: 'Post' },
        ],
      },
    });
    expect(JSON.stringify(event)).not.toContain('files-pri');
  });

  it('reads a shared message with a comment, but no link previews', () => {
    const attachments = [
      {
        is_share: true,
        is_msg_unfurl: true,
        text: 'The *old* words',
        fallback: '[May 1] Bob: The old words',
      },
      { title: 'A page', text: 'What it says', fallback: 'A page' },
    ];
    expect(decodeOne({ ...said, text: 'Look', attachments })).toMatchObject({
      content: {
        text: 'Look\nThe old words',
        spans: [
          { mark: 'quote', start: 5, end: 18 },
          { mark: 'bold', start: 9, end: 12 },
        ],
      },
    });
  });

  it('reads messages of another bot, even if they consist only of attachments', () => {
    const bot = { ...said, subtype: 'bot_message', user: null, bot_id: 'B9', username: 'CI', text: '' };
    expect(
      decodeOne({ ...bot, attachments: [{ fallback: 'build failed' }, { text: 'again' }] }),
    ).toMatchObject({
      type: 'message',
      sender: { id: 'B9', displayName: 'CI', isBot: true },
      content: { text: 'build failed\nagain' },
    });
  });

  it.each([
    ['its bot user', { user: 'U0BOT' }],
    ['its bot id', { user: 'U777', bot_id: 'B0BOT' }],
    ['its app, installed elsewhere', { user: 'U777', bot_id: 'B8', bot_profile: { app_id: 'A123ABC456' } }],
  ])('marks a message written under %s as an echo', (_, author) => {
    expect(decodeOne({ ...said, ...author })).toMatchObject({ type: 'message', echo: true });
  });

  it('reads an edit under the id of the edited message', () => {
    const changed = {
      type: 'message',
      subtype: 'message_changed',
      hidden: true,
      channel: 'C123ABC456',
      channel_type: 'channel',
      ts: '1358878755.000001',
      event_ts: '1358878755.000001',
      message: { ...said, text: 'new', edited: { user: 'U061F7AUR', ts: '1358878755.000001' } },
      previous_message: said,
    };
    expect(decodeOne(changed)).toMatchObject({
      type: 'message_edited',
      messageId: said.ts,
      at: '2013-01-22T18:19:15.000Z',
      content: { text: 'new' },
    });
    expect(decodeOne({ ...changed, message: { ...said, attachments: [{ title: 'unfurled' }] } })?.type).toBe(
      'unsupported',
    );
    expect(decodeOne({ ...changed, message: { ...said, user: 'U0BOT', text: 'new' } })).toMatchObject({
      echo: true,
    });
  });

  it('treats the tombstone of a thread root as a deletion', () => {
    const tombstone = {
      type: 'message',
      subtype: 'message_changed',
      channel: 'C123ABC456',
      ts: '1358878755.000001',
      message: { ...said, subtype: 'tombstone', text: 'This message was deleted.' },
      previous_message: said,
    };
    expect(decodeOne(tombstone)).toMatchObject({ type: 'message_deleted', messageId: said.ts });
  });

  it('reports who joined and left, including the app itself', () => {
    const joined = {
      type: 'member_joined_channel',
      user: 'U061F7AUR',
      channel: 'C123ABC456',
      channel_type: 'C',
    };
    expect(decodeOne(joined)).toMatchObject({
      type: 'membership',
      change: 'joined',
      user: { displayName: 'Ann' },
    });
    expect(decodeOne({ ...joined, type: 'member_left_channel', user: 'U0BOT' })).toMatchObject({
      change: 'left',
      self: true,
    });
  });

  it('reads a new channel name', () => {
    const renamed = {
      type: 'channel_rename',
      channel: { id: 'C1', name: 'ops', created: 1 },
      event_ts: '1361482916.000003',
    };
    expect(decodeOne(renamed)).toMatchObject({ type: 'chat_renamed', chat: { id: 'C1' }, title: 'ops' });
  });

  it('reports a minute whose events Slack dropped as a gap', () => {
    const payload = { token: 't', type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1518467820 };
    expect(decodeEnvelope(toEnvelope(payload, {}))).toMatchObject([
      { type: 'gap', since: '2018-02-12T20:37:00.000Z' },
    ]);
  });

  it.each(['channel_join', 'channel_topic', 'message_replied', 'ekm_access_denied', 'reminder_add'])(
    'reports the subtype %s as unsupported',
    (subtype) => {
      expect(decode({ ...said, subtype })).toEqual([{ type: 'unsupported', what: `message.${subtype}` }]);
    },
  );

  it('reports reactions with their Unicode emoji', () => {
    const item = { type: 'message', channel: 'C123ABC456', ts: '1355517500.000001' };
    const reaction = {
      type: 'reaction_added',
      user: 'U061F7AUR',
      item,
      item_user: 'U0BOT',
      event_ts: said.ts,
    };
    expect(decodeOne({ ...reaction, reaction: 'thumbsup::skin-tone-4' })).toMatchObject({
      type: 'reaction',
      messageId: item.ts,
      emoji: '👍🏽',
      change: 'added',
      sender: { displayName: 'Ann' },
    });
    expect(decodeOne({ ...reaction, type: 'reaction_removed', reaction: 'party-parrot' })).toMatchObject({
      emoji: ':party-parrot:',
      change: 'removed',
    });
    expect(decodeOne({ ...reaction, reaction: 'x', user: 'U0BOT' })).toMatchObject({ echo: true });
    expect(decodeOne({ ...reaction, reaction: 'x', item: { type: 'file', file: 'F1' } })).toMatchObject({
      type: 'unsupported',
    });
  });

  it('prefers blocks to text, and uses the text if the blocks have none', () => {
    const blocks = [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '*exact*' }] }],
      },
    ];
    expect(decodeOne({ ...said, text: '*exact*', blocks })).toMatchObject({
      content: { text: '*exact*', spans: [] },
    });
    expect(
      decodeOne({ ...said, text: '*bold* :wave::skin-tone-2:', blocks: [{ type: 'divider' }] }),
    ).toMatchObject({
      content: { text: 'bold 👋🏻', spans: [{ mark: 'bold' }] },
    });
  });

  it('reads a mention of the app as a message', () => {
    const mention = decodeOne({ ...said, type: 'app_mention' });
    expect(mention).toEqual(decodeOne(said));
  });

  it('shows a /me message in italics', () => {
    expect(decodeOne({ ...said, subtype: 'me_message', text: 'waves' })).toMatchObject({
      content: { text: 'waves', spans: [{ mark: 'italic', start: 0, end: 5 }] },
    });
  });

  it('leaves out deleted files and links to files of other services', () => {
    const files = [
      { id: 'F1', mode: 'tombstone' },
      { id: 'F2', mode: 'hidden_by_limit', name: 'old.txt' },
      {
        id: 'F3',
        mode: 'external',
        is_external: true,
        title: 'Plan',
        url_private: 'https://docs.example/plan',
      },
      { id: 'F4', mode: 'hosted', mimetype: 'audio/mp4', duration_ms: 1200, alt_txt: 'a song' },
      null,
    ];
    expect(decodeOne({ ...said, subtype: 'file_share', text: 'see', files })).toMatchObject({
      content: {
        text: 'see\nPlan',
        spans: [{ mark: 'link', start: 4, end: 8, value: 'https://docs.example/plan' }],
        attachments: [{ type: 'audio', remoteRef: 'F4', durationMs: 1200, altText: 'a song' }],
      },
    });
  });

  it('names people of other workspaces by the profile in the message', () => {
    const foreign = { ...said, user: 'U9FOREIGN', user_profile: { display_name: '', real_name: 'Zoe' } };
    expect(decodeOne(foreign)).toMatchObject({ sender: { id: 'U9FOREIGN', displayName: 'Zoe' } });
  });

  it('marks messages of the app under another name as an echo', () => {
    const persona = {
      ...said,
      subtype: 'bot_message',
      user: null,
      bot_id: 'B0BOT',
      username: 'Ann (Telegram)',
    };
    expect(decodeOne(persona)).toMatchObject({ echo: true, sender: { displayName: 'Ann (Telegram)' } });
  });

  it('reports that a channel was archived, deleted or received another id', () => {
    const gone = { channel: 'C123ABC456', event_ts: said.ts };
    for (const type of ['channel_archive', 'channel_deleted', 'channel_left', 'group_left'])
      expect(decodeOne({ ...gone, type })).toMatchObject({
        type: 'membership',
        change: 'left',
        self: true,
        user: { id: 'U0BOT' },
      });
    expect(decodeOne({ ...gone, type: 'channel_unarchive' })).toMatchObject({ change: 'joined', self: true });
    const moved = {
      type: 'channel_id_changed',
      old_channel_id: 'G1',
      new_channel_id: 'C2',
      event_ts: said.ts,
    };
    expect(decodeOne(moved)).toMatchObject({ type: 'chat_moved', chat: { id: 'G1' }, toChatId: 'C2' });
    expect(toEnvelope(callback(moved), {}).lane).toBe('G1');
  });

  it('records each command and button press once, as text', () => {
    const at = { ...context, received_at: '2026-01-02T03:04:05.000Z' };
    const command = {
      command: '/order',
      text: '2 teas',
      user_id: 'U061F7AUR',
      user_name: 'ann',
      channel_id: 'D1',
      channel_name: 'directmessage',
      trigger_id: '1.2.a',
      response_url: 'https://hooks.slack.com/x',
    };
    const envelope = toEnvelope(command, at);
    expect(envelope.lane).toBe('D1');
    expect(toEnvelope({ ...command, trigger_id: '1.2.b' }, at).dedupeKey).not.toBe(envelope.dedupeKey);
    expect(JSON.stringify(envelope)).not.toMatch(/hooks\.slack|1\.2\.a/);
    expect(decodeEnvelope(envelope)).toEqual([
      {
        type: 'message',
        chat: { id: 'D1', kind: 'direct' },
        at: '2026-01-02T03:04:05.000Z',
        messageId: expect.stringMatching(/^command-[0-9a-f]{32}$/),
        sender: expect.objectContaining({ id: 'U061F7AUR', displayName: 'Ann' }),
        content: { text: '/order 2 teas', spans: [], attachments: [] },
      },
    ]);
    const press = {
      type: 'block_actions',
      user: { id: 'U061F7AUR' },
      channel: { id: 'C123ABC456', name: 'general' },
      container: { message_ts: said.ts },
      actions: [{ type: 'button', text: { type: 'plain_text', text: 'Yes' }, value: 'y' }],
      trigger_id: '1.2.c',
    };
    expect(decodeEnvelope(toEnvelope(press, at))).toMatchObject([
      {
        type: 'message',
        content: { text: 'Yes' },
        press: 'y',
        replyToId: said.ts,
        chat: { kind: 'channel' },
      },
    ]);
    const choice = { ...press, actions: [{ selected_option: { text: { text: 'Large' }, value: 'l' } }] };
    expect(decodeEnvelope(toEnvelope(choice, at))).toMatchObject([{ content: { text: 'Large' } }]);
    expect(decodeEnvelope(toEnvelope({ ...press, type: 'view_submission' }, at))).toMatchObject([
      { type: 'unsupported' },
    ]);
  });

  it('keeps keys and lanes stable across upgrades', () => {
    expect(toEnvelope(callback(said), {})).toMatchObject({ dedupeKey: 'Ev123ABC456', lane: 'C123ABC456' });
    const reaction = { type: 'reaction_added', item: { type: 'message', channel: 'C9', ts: '1.0' } };
    expect(toEnvelope(callback(reaction), {}).lane).toBe('C9');
    expect(toEnvelope({ type: 'x' }, {})).toMatchObject({
      dedupeKey: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      lane: 'workspace',
    });
  });

  it('stores neither the verification token nor response addresses', () => {
    const envelope = toEnvelope({ ...callback(said), response_url: 'https://hooks.slack.com/x' }, {});
    expect(JSON.stringify(envelope)).not.toMatch(/z26uFbvR1xHJEdHE1OQiO6t8|hooks\.slack/);
  });

  it('is pure and never throws for any JSON', () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(json, json, fc.constantFrom(...Object.keys(said)), (payload, odd, field) => {
        expect(decodeEnvelope({ dedupeKey: 'k', lane: 'l', payload })).toHaveLength(1);
        const mutated = { dedupeKey: 'k', lane: 'l', payload: callback({ ...said, [field]: odd }), context };
        const events = decodeEnvelope(mutated);
        expect(events).toHaveLength(1);
        expect(decodeEnvelope(structuredClone(mutated))).toEqual(events);
      }),
      { numRuns: 500 },
    );
  });
});
