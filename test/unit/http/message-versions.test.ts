import { describe, expect, it } from 'vitest';
import { sendMessageBody } from '../../../src/core/messages/bodies.js';
import { messageRecord } from '../../../src/core/messages/record.js';
import { describeApi } from '../../../src/http/openapi/describe.js';
import { route } from '../../../src/http/route.js';
import { ALL, testServer } from '../../support/http.js';

let received: unknown;
const send = route({
  method: 'POST',
  path: '/openapi/messages',
  summary: 'Send a message',
  tag: 'Messages',
  scopes: ['messages:write'],
  oauth: 'messages.write',
  body: sendMessageBody,
  success: 201,
  response: messageRecord,
  echo: (record, body) => (typeof body.content === 'string' ? { ...record, content: record.text } : record),
  handler: async ({ body }) => {
    received = body;
    return {
      id: 'm',
      text: body.text,
      content_type: 'text',
      attachments: [],
      deliveries: [],
      status: 'sent',
    };
  },
});
const server = testServer([send], { all: ALL }, { checkResponses: false });
const post = async (version: string, payload: object, key?: string) => {
  const headers = { 'x-api-key': 'all', ...(key && { 'idempotency-key': key }) };
  const answer = await server.inject({
    method: 'POST',
    url: `/${version}/openapi/messages`,
    headers,
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
};
const names = (answer: { body: { details: { fields: { field: string; code: string }[] } } }) =>
  answer.body.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('sending a message', () => {
  it('in 1.0 accepts the names of client libraries and echoes content, also when replayed', async () => {
    for (const _ of ['first', 'again']) {
      const answer = await post('v1', { conversationId: 1, content: 'Hi' }, 'k');
      expect(answer).toMatchObject({ status: 201, body: { text: 'Hi', content: 'Hi' } });
    }
    expect((await post('v1', { conversation_id: 1, text: 'Hi' })).body.content).toBeUndefined();
    expect(names(await post('v1', { conversation_id: 1, text: 'a', content: 'b' }))).toEqual([
      'content exclusive',
    ]);
  });

  it('in 2.0 accepts and returns one content object', async () => {
    const answer = await post('v2', { conversation_id: 1, content: { text: 'Hi', format: 'markdown' } });
    expect(answer).toMatchObject({
      status: 201,
      body: { content: { text: 'Hi' }, delivery: { status: 'sent' } },
    });
    expect(answer.body.text).toBeUndefined();
    expect(received).toMatchObject({ conversation_id: 1, text: 'Hi', content_type: 'markdown' });
  });

  it('in 2.0 refuses names of 1.0, aliases and read-only fields', async () => {
    const answer = await post('v2', {
      conversation_id: 1,
      text: 'x',
      conversationId: 1,
      status: 'sent',
      content: { text: 'x' },
    });
    expect(new Set(names(answer))).toEqual(
      new Set(['text unknown_field', 'conversationId unknown_field', 'status read_only']),
    );
  });

  it('in 2.0 reports errors under the field names of the request', async () => {
    expect(names(await post('v2', { conversation_id: 1, content: { text: 5, format: 'html' } }))).toEqual([
      'content.text invalid_type',
      'content.format invalid_value',
    ]);
    expect(
      names(await post('v2', { conversation_id: 1, content: { text: 'x', attachments: [{ nope: 1 }] } })),
    ).toContain('content.attachments.0.nope unknown_field');
    expect(names(await post('v2', { conversation_id: 1, content: 'x' }))[0]).toBe('content invalid_type');
  });

  it.each([[true], [-1], [1.5], ['x'], [''], [null], [{}]])(
    'refuses %j as a conversation',
    async (conversation_id) => {
      const answer = await post('v1', { conversation_id, text: 'x' });
      expect(answer.status).toBe(400);
      expect(answer.body.details.fields[0].field).toBe('conversation_id');
    },
  );

  it('is described in both versions', () => {
    const bodyOf = (version: '1.0' | '2.0') =>
      JSON.stringify(describeApi([send], version), null, 1).match(
        /"requestBody": \{[\s\S]*?"security"/,
      )?.[0] ?? '';
    expect(bodyOf('1.0')).toContain('"text"');
    expect(bodyOf('2.0')).toContain('"format"');
    expect(bodyOf('2.0')).not.toContain('contentType');
  });
});
