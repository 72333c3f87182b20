import { plainContent } from 'trunkline';
import { defineKit } from 'trunkline/testing';
import { emailDefinition } from '../src/definition.js';
import { type MailPayload, mailEnvelope } from '../src/inbound.js';

type Of<Kind> = Extract<MailPayload, { kind: Kind }>;

const mail: Of<'mail'> = {
  kind: 'mail',
  id: 'a1@example.org',
  from: 'grace@example.org',
  name: 'Grace Hopper',
  subject: 'Greetings',
  text: 'Hello',
  at: '2026-01-02T03:04:05.000Z',
  automatic: false,
  files: [],
  own: 'bridge@example.org',
};
const file = { ref: '7/3/2', type: 'image', mimeType: 'image/png', name: 'plan.png' } as const;
const bounce: Of<'bounce'> = {
  kind: 'bounce',
  id: 'b2@example.org',
  recipient: 'gone@example.org',
  status: '5.1.1',
  diagnostic: '550 No such user',
  at: mail.at,
};
const corpus = [
  mailEnvelope('a1@example.org', mail),
  mailEnvelope('a2@example.org', {
    ...mail,
    id: 'a2@example.org',
    inReplyTo: 'b2@example.org',
    files: [file],
  }),
  mailEnvelope('a3@example.org', { ...mail, id: 'a3@example.org', from: mail.own }),
  mailEnvelope('a4@example.org', { ...mail, id: 'a4@example.org', automatic: true }),
  mailEnvelope('a5@example.org', bounce),
  mailEnvelope('a6@example.org', { kind: 'other', what: 'empty mail' }),
];

/** The description of this adapter for the conformance kit. */
export const kit = defineKit({
  definition: emailDefinition,
  module: { url: new URL('../src/definition.js', import.meta.url).href, exportName: 'emailDefinition' },
  offline: {
    reason: 'there is no simulator of mail servers, and no faults can be set on Exim and Dovecot',
    account: {
      credentials: { address: 'bridge@example.org', password: 'not-dialled' },
      settings: { smtp_url: 'tls://smtp.example:465' },
    },
  },
  read: ({ payload }) => ({ counted: String(payload.text), content: plainContent(String(payload.text)) }),
  corpus,
  pinned: [
    {
      envelope: mailEnvelope('a1@example.org', mail),
      chatId: 'grace@example.org',
      messageId: 'a1@example.org',
      userId: 'grace@example.org',
    },
  ],
  groupMentions: [],
});
