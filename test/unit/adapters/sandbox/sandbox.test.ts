import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { SandboxAdapter } from '../../../../adapters/sandbox/adapter.js';
import { sandboxCapabilities } from '../../../../adapters/sandbox/capabilities.js';
import { messageEnvelope, receiptEnvelope } from '../../../../adapters/sandbox/inbound/decode.js';
import {
  type JsonValue,
  type Operation,
  plainContent,
  remoteChatId,
  remoteMessageId,
  textLength,
} from '../../../../src/contract/index.js';
import { RecordingHost } from '../../../support/adapter-host.js';

const at = '2026-01-01T00:00:00.000Z';
const to = { chatId: remoteChatId('deliver') };
const long = 'word '.repeat(4_001);

let adapter: SandboxAdapter;
beforeEach(() => {
  adapter = new SandboxAdapter(new RecordingHost());
});
const plan = (operation: Operation) => adapter.plan(operation, sandboxCapabilities);

describe('decoding in the sandbox', () => {
  it('turns the text of a person into a message of a direct chat', () => {
    const attachments = [{ type: 'image' as const, url: 'https://files.example/a.png', name: 'a.png' }];
    const input = { address: 'ada+1', text: 'Hello', attachments, external_message_id: 'm1' };
    expect(adapter.decode(messageEnvelope(input, at))).toEqual([
      {
        type: 'message',
        chat: { id: 'ada+1', kind: 'direct' },
        at,
        messageId: 'm1',
        sender: { id: 'ada+1' },
        content: { text: 'Hello', spans: [], attachments },
      },
    ]);
  });

  it('derives the key from the external id alone', () => {
    const key = (id: string, text = 'Hello') =>
      messageEnvelope({ address: 'ada', text, external_message_id: id }, at).dedupeKey;
    expect(key('m1')).toBe(key('m1', 'other text'));
    expect(key('m1')).not.toBe(key('m2'));
  });

  it('keeps keys and lanes short for the longest address and id', () => {
    const longest = 'x'.repeat(256);
    const envelope = messageEnvelope({ address: longest, text: 'Hi', external_message_id: longest }, at);
    expect(envelope.dedupeKey.length).toBeLessThanOrEqual(200);
    expect(envelope.lane.length).toBeLessThanOrEqual(200);
  });

  it('includes a reason in a late failure, but not in a delivery', () => {
    expect(adapter.decode(receiptEnvelope('late', 'm1', 'failed', at))).toMatchObject([
      { type: 'receipt', status: 'failed', failure: { reason: 'platform_error', code: 'sandbox_late' } },
    ]);
    expect(adapter.decode(receiptEnvelope('late', 'm1', 'delivered', at))[0]).not.toHaveProperty('failure');
  });

  it('reports an empty message as unsupported', () => {
    const envelope = messageEnvelope({ address: 'ada', text: '', external_message_id: 'm1' }, at);
    expect(adapter.decode(envelope)).toEqual([{ type: 'unsupported', what: 'empty message' }]);
  });

  it('never throws and always returns the same events, at least one, whatever the payload', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const envelope = { dedupeKey: 'k', lane: 'l', payload: payload as JsonValue };
        expect(adapter.decode(envelope).length).toBeGreaterThan(0);
        expect(adapter.decode(envelope)).toEqual(adapter.decode(envelope));
      }),
    );
  });
});

describe('planning in the sandbox', () => {
  it('splits any text without loss into parts within the limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
        fc.integer({ min: 20, max: 90 }),
        (text, max) => {
          const small = { ...sandboxCapabilities, text: { ...sandboxCapabilities.text, max } };
          const { steps } = adapter.plan({ type: 'send', to, content: plainContent(text) }, small);
          const texts = steps.map(({ payload }) => String(payload.text));
          expect(texts.join('')).toBe(text);
          for (const part of texts) expect(textLength(part, 'codepoint')).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  it('replies with the first part only', () => {
    const operation: Operation = {
      type: 'send',
      to,
      content: plainContent(long),
      replyToId: remoteMessageId('m0'),
    };
    const { steps, degradations } = plan(operation);
    expect(steps.map(({ payload }) => payload.reply_to)).toEqual(['m0', undefined, undefined]);
    expect(degradations).toEqual([]);
  });

  it('plans a media part for a message without text', () => {
    const content = {
      text: '',
      spans: [],
      attachments: [{ type: 'image' as const, url: 'https://f.example/1' }],
    };
    expect(plan({ type: 'send', to, content }).steps).toMatchObject([
      { kind: 'media', payload: { attachments: [{ type: 'image', url: 'https://f.example/1' }] } },
    ]);
  });

  const part = (index: number) => ({ index, kind: 'text' as const, id: remoteMessageId(`p${index}`) });

  it('changes the first part and adds two when an edit grows from one part to three', () => {
    const { steps } = plan({ type: 'edit', to, content: plainContent(long), parts: [part(0)] });
    expect(steps.map(({ action, index, targetId }) => [action, index, targetId])).toEqual([
      ['update', 0, 'p0'],
      ['create', 1, undefined],
      ['create', 2, undefined],
    ]);
  });

  it('changes the first part and removes two when an edit shrinks from three parts to one', () => {
    const parts = [part(0), part(1), part(2)];
    const { steps } = plan({ type: 'edit', to, content: plainContent('short'), parts });
    expect(steps.map(({ action, targetId }) => [action, targetId])).toEqual([
      ['update', 'p0'],
      ['remove', 'p1'],
      ['remove', 'p2'],
    ]);
  });

  it('removes every part on delete, and signals reactions and typing', () => {
    expect(plan({ type: 'delete', to, parts: [part(0), part(1)] }).steps).toHaveLength(2);
    const react: Operation = {
      type: 'react',
      to,
      messageId: remoteMessageId('p0'),
      emoji: '👍',
      change: 'added',
    };
    expect(plan(react).steps).toMatchObject([{ action: 'signal', targetId: 'p0' }]);
    expect(plan({ type: 'typing', to, state: 'started' }).steps).toMatchObject([{ action: 'signal' }]);
  });
});
