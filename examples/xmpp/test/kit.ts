import { plainContent } from 'trunkline';
import { defineKit } from 'trunkline/testing';
import { xmppDefinition } from '../src/definition.js';
import { type ChatStanza, stanzaEnvelope } from '../src/inbound.js';

const stanza: ChatStanza = {
  type: 'groupchat',
  from: 'lobby@rooms.example.org/Grace',
  id: 'a1',
  body: 'Hello',
  at: '2026-01-02T03:04:05.000Z',
  own: 'lobby@rooms.example.org/Trunkline',
};
const direct = { type: 'chat', from: 'grace@example.org/phone', own: 'bridge@example.org' } as const;
const corpus = [
  stanzaEnvelope(stanza),
  stanzaEnvelope({ ...stanza, ...direct }),
  stanzaEnvelope({ ...stanza, id: 'a2', replyTo: 'a1' }),
  stanzaEnvelope({ ...stanza, id: 'a3', replaces: 'a1', body: 'Hello there' }),
  stanzaEnvelope({ ...stanza, ...direct, id: 'a4', retracts: 'a1', body: '' }),
  stanzaEnvelope({ ...stanza, id: 'a5', from: stanza.own }),
  stanzaEnvelope({ ...stanza, id: 'a6', from: 'lobby@rooms.example.org' }),
];

/** The description of this adapter for the conformance kit. */
export const kit = defineKit({
  definition: xmppDefinition,
  module: { url: new URL('../src/definition.js', import.meta.url).href, exportName: 'xmppDefinition' },
  offline: {
    reason: 'there is no simulator of XMPP, and no faults can be set on Prosody',
    account: { credentials: { jid: 'bridge@example.org', password: 'not-dialled' }, settings: {} },
  },
  read: ({ payload }) => ({ counted: String(payload.text), content: plainContent(String(payload.text)) }),
  corpus,
  pinned: [
    {
      envelope: stanzaEnvelope(stanza),
      chatId: 'lobby@rooms.example.org',
      messageId: 'a1',
      userId: 'lobby@rooms.example.org/Grace',
    },
    {
      envelope: stanzaEnvelope({ ...stanza, ...direct }),
      chatId: 'grace@example.org',
      messageId: 'a1',
      userId: 'grace@example.org',
    },
  ],
  groupMentions: [],
});
