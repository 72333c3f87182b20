import { describe, expect, it } from 'vitest';
import type { FieldProblem } from '../../../../src/core/common/errors.js';
import { conversationDialect } from '../../../../src/core/versions/conversation-dialect.js';
import { messageDialect } from '../../../../src/core/versions/message-dialect.js';
import { present } from '../../../../src/core/versions/present.js';
import { textBlocks } from '../../../../src/core/versions/text-blocks.js';

const message = {
  id: 'm1',
  text: 'Hello\n\nthere',
  content_type: 'text',
  attachments: [],
  status: 'sent',
  error: null,
  sent_at: 't',
  delivered_at: null,
  failed_at: null,
  deliveries: [{ id: 'd1' }],
  metadata: {},
};

describe('version 2.0', () => {
  it('groups the content and the delivery of a message', () => {
    expect(present('Message', message, '1.0')).toBe(message);
    expect(present('Message', { ...message, content: 'Hello' }, '2.0')).toEqual({
      id: 'm1',
      metadata: {},
      content: {
        text: 'Hello\n\nthere',
        format: 'text',
        blocks: [
          { type: 'paragraph', text: 'Hello' },
          { type: 'paragraph', text: 'there' },
        ],
        attachments: [],
      },
      delivery: {
        status: 'sent',
        error: null,
        sent_at: 't',
        delivered_at: null,
        failed_at: null,
        attempts: [{ id: 'd1' }],
      },
    });
  });

  it('shows the previous values of an event under the field names of 2.0', () => {
    const previous = { text: 'Hi', content_type: 'text', status: 'sent', send_at: null };
    expect(messageDialect.present({ ...message, previous }, new Set()).previous).toEqual({
      content: { text: 'Hi', format: 'text' },
      delivery: { status: 'sent' },
      send_at: null,
    });
    expect(messageDialect.present({ ...message, previous: { send_at: null } }, new Set()).previous).toEqual({
      send_at: null,
    });
  });

  it('leaves participants out of a conversation unless they are expanded', () => {
    const conversation = { id: 'c1', participants: [1] };
    expect(present('Conversation', conversation, '2.0')).toEqual({ id: 'c1' });
    expect(present('Conversation', conversation, '2.0', new Set(['participants']))).toEqual(conversation);
    expect(present('Conversation', conversation, '1.0')).toEqual(conversation);
  });

  it('shows expanded records in the shape of 2.0', () => {
    const call = { id: 'x', conversation: { id: 'c1', participants: [1] } };
    expect(present('Call', call, '2.0', new Set(['conversation']))).toEqual({
      id: 'x',
      conversation: { id: 'c1' },
    });
    expect(present('Call', call, '2.0')).toBe(call);
  });

  it('reads the first message of a new conversation like any other message', () => {
    const problems: FieldProblem[] = [];
    const body = { type: 'direct', message: { content: { text: 'x' }, text: 'y' } };
    expect(conversationDialect.accept?.(body, problems)).toMatchObject({
      type: 'direct',
      message: { text: 'x' },
    });
    expect(problems).toEqual([expect.objectContaining({ field: 'message.text', code: 'unknown_field' })]);
    expect(conversationDialect.names).toMatchObject({ 'message.content_type': 'message.content.format' });
  });

  it('accepts the content object of a message to send, and refuses names of 1.0', () => {
    const problems: FieldProblem[] = [];
    const body = { conversation_id: 'c', content: { text: 'x', format: 'markdown', attachments: [] } };
    expect(messageDialect.accept?.(body, problems)).toEqual({
      conversation_id: 'c',
      text: 'x',
      content_type: 'markdown',
      attachments: [],
    });
    expect(problems).toEqual([]);
    messageDialect.accept?.({ text: 'x', contentType: 'text', content: { blocks: [], nope: 1 } }, problems);
    expect(problems.map(({ field, code }) => [field, code])).toEqual([
      ['text', 'unknown_field'],
      ['contentType', 'unknown_field'],
      ['content.blocks', 'read_only'],
      ['content.nope', 'unknown_field'],
    ]);
    messageDialect.accept?.({ content: 'x' }, problems);
    expect(problems.at(-1)).toMatchObject({ field: 'content', code: 'invalid_type' });
  });

  it('shows endlessly nested quotes as one plain paragraph', () => {
    const text = '>'.repeat(10_000);
    expect(textBlocks(text, 'markdown')).toEqual([{ type: 'paragraph', text }]);
  });

  it('shows the blocks of a markdown text', () => {
    const text =
      '# Title\n\nSome **bold** [link](https://x.test)\n\n> quoted\n\n- one\n- two\n\n```js\ncode()\n```\n\n---';
    expect(textBlocks(text, 'markdown')).toEqual([
      { type: 'heading', text: 'Title' },
      { type: 'paragraph', text: 'Some bold link' },
      { type: 'quote', text: 'quoted' },
      { type: 'list_item', text: 'one' },
      { type: 'list_item', text: 'two' },
      { type: 'code', text: 'code()' },
    ]);
  });
});
