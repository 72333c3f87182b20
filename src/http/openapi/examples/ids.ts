/** Ids and times that all examples share. */

const id = (end: string) => `019b76da-a800-7000-8000-${end.padStart(12, '0')}`;

export const ids = {
  message: id('a1'),
  delivery: id('d1'),
  conversation: id('c1'),
  link: id('11'),
  owner: id('e1'),
  key: id('71'),
  contact: id('e2'),
  duplicate: id('e3'),
  attachment: id('f1'),
  call: id('ca11'),
  broadcast: id('b1'),
  recipient: id('b2'),
  segment: id('5e'),
  template: id('7e'),
  location: id('10c'),
  session: id('7ac'),
  connection: id('c0'),
  webhook: id('1'),
  webhookDelivery: id('2'),
} as const;

export const now = '2026-01-01T00:00:00.000Z';
export const soon = '2026-01-01T00:00:02.000Z';
export const later = '2026-01-01T01:00:00.000Z';
export const dated = { created_at: now, updated_at: now } as const;

/** The record for `{id}`, by the segment of the path before it. */
export const idsOfPaths: Readonly<Record<string, string>> = {
  messages: ids.message,
  deliveries: ids.delivery,
  conversations: ids.conversation,
  users: ids.contact,
  calls: ids.call,
  broadcasts: ids.broadcast,
  segments: ids.segment,
  templates: ids.template,
  tracking: ids.session,
  connections: ids.connection,
  webhooks: ids.webhook,
  networks: 'one.example.uk',
  protocols: 'telegram',
};

/** Examples of path parameters with other names. */
export const namedParameters: Readonly<Record<string, string>> = {
  user_id: ids.contact,
  link_id: ids.link,
  delivery_id: ids.webhookDelivery,
  platform: 'telegram',
  resource: 'messages',
  emoji: '👍',
};
