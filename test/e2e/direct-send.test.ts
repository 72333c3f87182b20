import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

const send = (body: Json, headers?: Record<string, string>) =>
  api.send<Json>('POST', '/openapi/messages', { body, ...(headers && { headers }) });
const to = (address: string, more: Json = {}) => ({ platform: 'sandbox', address, ...more });

describe('a message to an address', () => {
  it('creates the contact and the conversation, and is delivered there', async () => {
    const { status, body } = await send({ to: to('deliver+ada'), text: 'Hello' });
    expect([status, body]).toMatchObject([
      201,
      { text: 'Hello', direction: 'outbound', platform: 'sandbox' },
    ]);
    expect(body).not.toHaveProperty('to');
    const read = () => api.must(200, 'GET', `/openapi/messages/${body.id}`);
    expect(await eventually(read, (message) => message.status === 'read')).toMatchObject({
      deliveries: [{ external_chat_id: 'deliver+ada' }],
    });
    const chat = await api.must(200, 'GET', `/openapi/conversations/${body.conversation_id}`);
    expect(chat).toMatchObject({ type: 'direct', number: body.conversation_number, platforms: ['sandbox'] });
  });

  it('goes to the existing conversation, even if POST conversations opened it', async () => {
    const opened = await api.must(201, 'POST', '/openapi/conversations', { recipient: to('deliver+ben') });
    const first = (await send({ to: to('deliver+ben'), text: 'one' })).body;
    const second = (await send({ to: to('deliver+ben'), text: 'two', reply_to_id: first.id })).body;
    expect([first.conversation_id, second.conversation_id]).toEqual([opened.id, opened.id]);
    expect(second.reply_to_id).toBe(first.id);
  });

  it('is stored once for an Idempotency-Key, and by parallel senders in one conversation', async () => {
    const body = { to: to('deliver+cleo'), text: 'once' };
    const headers = { 'idempotency-key': 'direct-1' };
    const first = await send(body, headers);
    const again = await send(body, headers);
    expect([again.status, again.headers['idempotent-replayed'], again.body.id]).toEqual([
      201,
      'true',
      first.body.id,
    ]);
    const parallel = await Promise.all(
      [1, 2, 3, 4].map((n) => send({ to: to('deliver+dan'), text: `n${n}` })),
    );
    expect(parallel.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(parallel.map((answer) => answer.body.conversation_id)).size).toBe(1);
  });

  it('is accepted in version 2.0 with its content', async () => {
    const body = { to: to('deliver+eve'), content: { text: 'Hello' } };
    const answer = await api.send<Json>('POST', '/v2/openapi/messages', { body });
    expect([answer.status, answer.body]).toMatchObject([201, { content: { text: 'Hello' } }]);
  });

  it.each<[string, Json, [string, string]]>([
    ['nothing', {}, ['conversation_id', 'required']],
    ['both', { to: to('x'), conversation_id: 1 }, ['to', 'exclusive']],
    ['both by its library name', { to: to('x'), conversationId: 1 }, ['to', 'exclusive']],
    ['no address', { to: { platform: 'sandbox' } }, ['to.address', 'required']],
    ['an empty address', { to: to('') }, ['to.address', 'too_short']],
    ['an unknown field', { to: { ...to('x'), name: 'X' } }, ['to.name', 'unknown_field']],
    [
      'a wrong connection id',
      { to: to('x', { connection_id: '1' }) },
      ['to.connection_id', 'invalid_format'],
    ],
  ])('is refused with %s', async (_what, body, problem) => {
    expect(fieldsOf(await send({ ...body, text: 'x' }))).toEqual([problem]);
  });

  it('is refused for an unknown connection, a platform without one or an unknown reply, and stores nothing', async () => {
    const missing = await send({ to: to('nobody', { connection_id: NOBODY }), text: 'x' });
    expect([missing.status, missing.body.details]).toEqual([404, { field: 'to.connection_id' }]);
    const elsewhere = await send({ to: { platform: 'telegram', address: '42' }, text: 'x' });
    expect([elsewhere.status, reasonOf(elsewhere)]).toEqual([409, 'no_connection']);
    const reply = await send({ to: to('nobody'), text: 'x', reply_to_id: NOBODY });
    expect([reply.status, reply.body.details]).toEqual([404, { field: 'reply_to_id' }]);
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/openapi/users?filter=identities.address:nobody',
    );
    expect(data).toEqual([]);
  });
});
