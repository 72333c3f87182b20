import type { ChatwootData, SimulatedConversation } from './chatwoot-server.js';

/** The smallest PNG. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
/** 2024-01-02 03:04:05. */
export const BEGAN = 1_704_164_645;
const TELEGRAM = 1;
const WEBSITE = 2;
const HOSTILE_NAME = '<b>Eve</b>\u001b[2J\u202e"; DROP TABLE users; --\u0000';

type Message = SimulatedConversation['messages'][number];

let next = 1;
const message = (content: string | null, more: object = {}): Message => ({
  id: next++,
  content,
  message_type: 0,
  private: false,
  created_at: BEGAN + Math.floor(next / 2),
  content_attributes: {},
  ...more,
});
const agent = { id: 7, type: 'user', name: 'Grace' };

/** Contact `n` with its id in Telegram. */
const contact = (n: number, more: object = {}) => ({
  id: n,
  name: `Contact ${n}`,
  email: `contact${n}@example.test`,
  phone_number: null,
  identifier: `crm-${n}`,
  custom_attributes: { plan: 'gold', seats: n },
  created_at: BEGAN - 1_000 + n,
  contact_inboxes: [{ source_id: String(5_000 + n), inbox: { id: TELEGRAM } }],
  ...more,
});

const conversation = (
  id: number,
  sender: { readonly id: number },
  messages: readonly Message[],
  more: object = {},
): SimulatedConversation => {
  const { contact_inboxes: _, ...meta } = sender as { id: number; contact_inboxes?: unknown };
  return {
    id,
    inbox_id: TELEGRAM,
    status: 'open',
    created_at: BEGAN + id,
    last_activity_at: BEGAN + 1_000 + id,
    snoozed_until: null,
    labels: [],
    priority: null,
    custom_attributes: {},
    additional_attributes: {},
    meta: { sender: meta, assignee: null },
    messages,
    ...more,
  };
};

/** An account with several pages of every record, and with names and texts of contacts. */
export function chatwootAccount(): ChatwootData {
  next = 1;
  const contacts = [
    ...Array.from({ length: 32 }, (_, index) => contact(index + 1)),
    contact(33, { name: HOSTILE_NAME, email: 'not an address', phone_number: '12', identifier: null }),
    contact(34, {
      name: '',
      email: null,
      phone_number: '+12025550143',
      custom_attributes: Object.fromEntries(
        Array.from({ length: 70 }, (_, index) => [`field ${index}`, 'x'.repeat(100)]),
      ),
    }),
    contact(35, { email: null, identifier: null, hidden: true }),
  ];
  const of = (id: number) => contacts[id - 1] ?? contact(id);
  const long = Array.from({ length: 230 }, (_, index) => message(`line ${index}`));
  const first = message('Where is my order?');
  const file = (name: string, type: string) => ({
    id: next++,
    file_type: type,
    data_url: `{base}/rails/active_storage/blobs/redirect/${name}`,
  });
  const rich = [
    first,
    message('On its **way**', {
      message_type: 1,
      sender: agent,
      status: 'delivered',
      content_attributes: { in_reply_to: first.id },
    }),
    message('She is a VIP', { message_type: 1, private: true, sender: agent }),
    message('Automatic greeting', { message_type: 3, sender: null }),
    message('Conversation was resolved', { message_type: 2 }),
    message('gone', { content_attributes: { deleted: true } }),
    message(null, { attachments: [file('picture.png', 'image'), file('missing.png', 'image')] }),
    message('Here', {
      attachments: [{ id: 900, file_type: 'location', coordinates_lat: 52.5, coordinates_long: 13.4 }],
    }),
    message(`Hostile \u0000 ${HOSTILE_NAME} \ud800`, {
      sender: { id: 33, type: 'contact', name: HOSTILE_NAME },
    }),
    message('word '.repeat(4_500)),
    message(''),
  ];
  return {
    inboxes: [
      { id: TELEGRAM, name: 'Shop', channel_type: 'Channel::Telegram' },
      { id: WEBSITE, name: 'Site', channel_type: 'Channel::WebWidget' },
    ],
    agents: [{ id: 7, email: 'Owner@Example.test', name: 'Grace' }],
    contacts,
    conversations: [
      conversation(1, of(1), rich, {
        status: 'resolved',
        labels: ['billing', 'vip'],
        priority: 'high',
        custom_attributes: { order: 17 },
        meta: { sender: of(1), assignee: { email: 'owner@example.test' }, team: { name: 'sales' } },
      }),
      conversation(2, of(2), long),
      // The same person again. The chat belongs to the later conversation.
      conversation(3, of(1), [message('Me again')]),
      conversation(4, of(35), [message('I have no address')]),
      conversation(5, of(5), [message('From the site')], { inbox_id: WEBSITE }),
      conversation(6, of(6), [message('later')], {
        status: 'snoozed',
        snoozed_until: '2999-01-01T00:00:00Z',
      }),
      conversation(7, of(7), [message('x')], {
        meta: { sender: of(7), assignee: { email: 'gone@example.test' } },
      }),
      ...Array.from({ length: 23 }, (_, index) =>
        conversation(8 + index, of(8 + index), [message(`hello ${index}`)]),
      ),
    ],
    files: { 'picture.png': { type: 'image/png', body: PNG } },
  };
}
