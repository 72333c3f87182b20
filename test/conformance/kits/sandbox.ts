import { sandboxDefinition } from '../../../adapters/sandbox/definition.js';
import { messageEnvelope, receiptEnvelope } from '../../../adapters/sandbox/inbound/decode.js';
import type { Envelope, PartStep, Span } from '../../../src/contract/index.js';
import { defineKit } from '../../../src/testing/index.js';
import { builtModule } from './built-module.js';

const AT = '2026-03-01T10:00:05.000Z';
const corpus: readonly Envelope[] = [
  messageEnvelope({ address: 'echo', text: 'Hello', external_message_id: 'm1' }, AT),
  messageEnvelope(
    {
      address: 'echo+1',
      text: '',
      attachments: [{ type: 'image', url: 'https://example.com/a.png' }],
      external_message_id: 'm2',
    },
    AT,
  ),
  receiptEnvelope('echo', 'key', 'delivered', AT),
  receiptEnvelope('late', 'key', 'failed', AT),
];

function read({ payload }: PartStep) {
  const text = String(payload.text ?? '');
  return { counted: text, content: { text, spans: payload.spans as unknown as readonly Span[] } };
}

export const sandboxKits = [
  defineKit({
    definition: sandboxDefinition,
    module: builtModule('adapters/sandbox/definition.js', 'sandboxDefinition'),
    read,
    corpus,
    pinned: [
      { envelope: corpus[0] as Envelope, chatId: 'echo', messageId: 'm1', userId: 'echo' },
      {
        envelope: corpus[1] as Envelope,
        chatId: 'echo+1',
        reads: { content: { attachments: [{ type: 'image' }] } },
      },
      { envelope: corpus[2] as Envelope, chatId: 'echo', reads: { status: 'delivered' } },
      { envelope: corpus[3] as Envelope, chatId: 'late', reads: { status: 'failed' } },
    ],
    groupMentions: [],
  }),
];
