import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { eventually, fieldsOf, type Json } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';

const telegram = new TelegramSimulator();
const sms = new TwilioSimulator({ limits: 'none' });
let stage: OAuthStage;
let conversation: Json;

beforeAll(async () => {
  [stage] = await Promise.all([shareOAuthStage(), telegram.start(), sms.start()]);
  const api = stage.service.client();
  const links: Json[] = [];
  for (const simulator of [telegram, sms]) {
    const path = `/openapi/platforms/${simulator.platform}/connections`;
    const made = await api.must(201, 'POST', path, { name: 'Shop', ...simulator.account() });
    await eventually(
      () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${made.id}`),
      ({ status }) => status === 'connected',
    );
    const chat = simulator.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    links.push({ connection_id: made.id, external_id: chat });
  }
  conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
});
afterAll(async () => {
  await stage?.stop();
  await Promise.all([telegram.stop(), sms.stop()]);
});

function send(method: string, path: string, body?: Json, person: Person = stage.owner) {
  const options = { headers: asPerson(person), ...(body && { body }) };
  return stage.anonymous.send(method, `/dashboard/api${path}`, options);
}

/** How a draft appears, by platform. */
async function preview(draft: Json): Promise<Record<string, Json>> {
  const answer = await send('POST', `/conversations/${conversation.id}/preview`, draft);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const links = answer.body.links as Json[];
  return Object.fromEntries(links.map((link) => [String(link.platform), link]));
}

describe('The preview of a draft', () => {
  it('counts the messages and the billed units on each platform', async () => {
    const { telegram: onTelegram, sms: bySms } = await preview({ text: 'Hello' });
    expect(onTelegram).toMatchObject({ parts: 1, billed: null, refusal: null, is_planned: true });
    expect(bySms).toMatchObject({ parts: 1, billed: { count: 1 }, outside_gsm7: [], is_planned: true });
  });

  it('names the characters that make a text message more expensive', async () => {
    const { sms: bySms } = await preview({ text: `“Hello” ${'x'.repeat(100)} ☕` });
    expect(bySms).toMatchObject({ parts: 1, billed: { count: 2 }, outside_gsm7: ['“', '”', '☕'] });
  });

  it('reports the same degradations as the delivery', async () => {
    const draft = { text: '**Hello** _you_', content_type: 'markdown' };
    const { telegram: onTelegram, sms: bySms } = await preview(draft);
    expect(onTelegram?.degradations).toEqual([]);
    const sent = await send('POST', '/openapi/messages', {
      conversation_id: conversation.id as never,
      ...draft,
    });
    const deliveries = async () =>
      (await send('GET', `/openapi/messages/${sent.body.id}`)).body.deliveries as Json[];
    const done = await eventually(deliveries, (all) =>
      all.every(({ status }) => ['sent', 'delivered'].includes(String(status))),
    );
    const delivered = done.find(({ platform }) => platform === 'sms');
    expect(bySms?.degradations).toEqual(delivered?.degradations);
    expect(bySms?.degradations).toEqual(['format.bold', 'format.italic']);
  });

  it('splits a long text as the platform does, and allows 10,000 characters by SMS', async () => {
    const { telegram: onTelegram } = await preview({ text: 'word '.repeat(1_900) });
    expect(onTelegram?.parts).toBe(3);
    const { sms: bySms } = await preview({ text: '☕'.repeat(10_000) });
    expect(bySms).toMatchObject({ refusal: null });
  });

  it('accepts files before they are uploaded, and a reply', async () => {
    const files = [{ name: 'photo.png', mime_type: 'image/png', size: 1_000 }];
    const asked = await send('POST', '/openapi/messages', {
      conversation_id: conversation.id as never,
      text: 'Is this it?',
    });
    const { telegram: onTelegram, sms: bySms } = await preview({
      text: 'Look',
      files,
      reply_to_id: asked.body.id as never,
    });
    expect(onTelegram).toMatchObject({ parts: 1, degradations: [], refusal: null });
    expect(bySms?.refusal).toBeNull();
  });

  it('refuses a text beyond the limit, with its field', async () => {
    const answer = await send('POST', `/conversations/${conversation.id}/preview`, {
      text: 'x'.repeat(10_001),
    });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [['text', 'too_long']]]);
  });

  it('estimates for a disabled connection', async () => {
    const [link] = conversation.links as Json[];
    const path = `/openapi/platforms/connections/${link?.connection_id}`;
    await send('PATCH', path, { enabled: false });
    await eventually(
      () => preview({ text: 'Hello' }),
      ({ telegram: on }) => on?.is_planned === false && on.parts === 1,
    );
    await send('PATCH', path, { enabled: true });
    await eventually(
      () => preview({ text: 'Hello' }),
      ({ telegram: on }) => on?.is_planned === true,
    );
  });
});

describe('The former versions of a message', () => {
  const versions = async (id: unknown) => (await send('GET', `/messages/${id}/versions`)).body.data as Json[];

  it('are kept when a member edits, newest first, with the time of each text', async () => {
    const chat = { conversation_id: conversation.id as never };
    const { body } = await send('POST', '/openapi/messages', { ...chat, text: 'One' });
    expect(await versions(body.id)).toEqual([]);
    const path = `/openapi/messages/${body.id}`;
    const second = await send('PATCH', path, { text: 'Two' });
    await send('PATCH', path, { text: '**Three**', content_type: 'markdown' });
    await send('PATCH', path, { text: '**Three**' });
    await send('PATCH', path, { metadata: { seen: true } });
    expect(await versions(body.id)).toEqual([
      { revision: 2, text: 'Two', content_type: 'text', created_at: second.body.edited_at },
      { revision: 1, text: 'One', content_type: 'text', created_at: body.created_at },
    ]);
  });

  it('are kept when a person edits on the platform', async () => {
    const chatId = telegram.chats().find(({ kind }) => kind === 'group')?.id ?? '';
    await telegram.post({ chatId, sender: 'Ada', text: 'At nine' });
    const find = async (text: string) => {
      const { body } = await send('GET', `/openapi/messages?filter=text:${encodeURIComponent(text)}`);
      return (body.data as Json[])[0];
    };
    const message = await eventually(
      () => find('At nine'),
      (found) => found !== undefined,
    );
    const [posted] = telegram.messages(chatId).slice(-1);
    await telegram.edit(chatId, posted?.id ?? '', 'At ten');
    const former = await eventually(
      () => versions(message?.id),
      (all) => all.length === 1,
    );
    expect(former).toEqual([expect.objectContaining({ revision: 1, text: 'At nine' })]);
  });

  it('are the newest 50', async () => {
    const chat = { conversation_id: conversation.id as never };
    const { body } = await send('POST', '/openapi/messages', { ...chat, text: '0', internal: true });
    for (let n = 1; n <= 52; n += 1) await send('PATCH', `/openapi/messages/${body.id}`, { text: String(n) });
    const all = await versions(body.id);
    expect([all.length, all[0]?.text, all.at(-1)?.text]).toEqual([50, '51', '2']);
  });

  it('are deleted with the message', async () => {
    const chat = { conversation_id: conversation.id as never };
    const { body } = await send('POST', '/openapi/messages', { ...chat, text: 'Gone', internal: true });
    await send('PATCH', `/openapi/messages/${body.id}`, { text: 'Going' });
    await send('DELETE', `/openapi/messages/${body.id}`);
    expect((await send('GET', `/messages/${body.id}/versions`)).status).toBe(404);
    const { pool } = stage.database;
    await pool.query('SELECT purge_messages(ARRAY[$1::uuid])', [body.id]);
    expect((await pool.query('SELECT FROM message_versions WHERE message_id = $1', [body.id])).rowCount).toBe(
      0,
    );
  });
});

describe('An open conversation', () => {
  const viewing = async (person: Person, id: unknown = conversation.id) =>
    (await send('PUT', `/conversations/${id}/viewing`, {}, person)).body.user_ids;

  it('names the other members who have it open, until they close it or their view expires', async () => {
    const [first, second] = [await addMember(stage, 'member'), await addMember(stage, 'viewer')];
    expect(await viewing(first)).toEqual([]);
    expect(await viewing(second)).toEqual([first.userId]);
    expect(await viewing(first)).toEqual([second.userId]);
    const path = `/conversations/${conversation.id}/viewing`;
    expect((await send('DELETE', path, undefined, second)).status).toBe(204);
    expect(await viewing(first)).toEqual([]);
    await viewing(second);
    const { pool } = stage.database;
    const ofThis = (command: string) =>
      pool.query(`${command} WHERE conversation_id = $1`, [conversation.id]);
    await ofThis(`UPDATE conversation_viewers SET seen_until = now() - interval '1 second'`);
    expect(await viewing(first)).toEqual([]);
    expect((await ofThis('SELECT FROM conversation_viewers')).rowCount).toBe(1);
  });
});

describe('Messages that a member is viewing', () => {
  it('are marked as read by one request, which ignores an unknown id', async () => {
    const chatId = telegram.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
    for (const text of ['First', 'Second']) await telegram.post({ chatId, sender: 'Ada', text });
    const path = `/openapi/messages?filter=conversation_id:${conversation.id}&filter=direction:inbound`;
    const inbound = async () => (await send('GET', path)).body.data as Json[];
    const messages = await eventually(inbound, (all) => all.length === 2);
    const ids = messages.map(({ id }) => String(id));
    const body = { message_ids: [stage.owner.userId, ...ids] };
    expect((await send('POST', '/messages/read', body)).status).toBe(204);
    expect((await inbound()).map(({ status }) => status)).toEqual(['read', 'read']);
    const unread = await send('GET', `/openapi/conversations/${conversation.id}`);
    expect(unread.body.unread_count).toBe(0);
    const none = await send('POST', '/messages/read', { message_ids: [] });
    expect([none.status, fieldsOf(none)]).toEqual([400, [['message_ids', 'too_short']]]);
  });
});
