import { plainContent } from 'trunkline';
import { defineKit } from 'trunkline/testing';
import { ircDefinition } from '../src/definition.js';
import { gapEnvelope, type IrcLine, lineEnvelope } from '../src/inbound.js';

const line: IrcLine = {
  kind: 'privmsg',
  id: 'm1.1',
  nick: 'Grace',
  target: '#Lobby',
  text: 'Hello',
  at: '2026-01-02T03:04:05.000Z',
  own: 'bridge',
};
const corpus = [
  lineEnvelope(line),
  lineEnvelope({ ...line, id: 'm1.2', target: 'bridge' }),
  lineEnvelope({ ...line, id: 'm1.3', kind: 'action', text: 'waves' }),
  lineEnvelope({ ...line, id: 'm1.4', nick: 'bridge', text: '\x0304,01red\x03 \x02bold\x02' }),
  gapEnvelope(line.at),
];

/** The description of this adapter for the conformance kit. */
export const kit = defineKit({
  definition: ircDefinition,
  module: { url: new URL('../src/definition.js', import.meta.url).href, exportName: 'ircDefinition' },
  offline: {
    reason: 'there is no simulator of IRC, and no faults can be set on ngIRCd',
    account: { credentials: { nick: 'bridge' }, settings: {} },
  },
  read: ({ payload }) => ({ counted: String(payload.text), content: plainContent(String(payload.text)) }),
  keepsLineBreaks: false,
  corpus,
  pinned: [
    { envelope: lineEnvelope(line), chatId: '#lobby', messageId: 'm1.1', userId: 'grace' },
    {
      envelope: lineEnvelope({ ...line, target: 'bridge' }),
      chatId: 'grace',
      messageId: 'm1.1',
      userId: 'grace',
    },
  ],
  groupMentions: [],
});
