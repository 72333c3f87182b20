import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type Browser, invite, ownerBrowser } from '../support/browser.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let ben: Browser;
let benId: string;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  const invited = await invite(service, await ownerBrowser(service), 'ben');
  ben = invited.browser;
  benId = invited.id;
});

const open = () =>
  api.must(201, 'POST', '/openapi/conversations', { participant_ids: [benId], type: 'group' });
const send = (chat: Json, text: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/messages', { conversation_id: chat.id, text, ...more });
const read = (chat: Json) => api.must(200, 'GET', `/openapi/conversations/${chat.id}`);
const remove = (message: Json) => api.must(204, 'DELETE', `/openapi/messages/${message.id}`);
/** The id and time of the last message as the conversation shows them. */
const last = async (chat: Json) => {
  const { last_message: message, last_message_at: at } = await read(chat);
  return [(message as Json | null)?.text ?? null, at];
};
const unreadOf = async (chat: Json) => (await ben.get(`/openapi/conversations/${chat.id}`)).body.unread_count;
const withoutMessages = async (chat: Json) => {
  const { data } = await api.must<{ data: Json[] }>(
    200,
    'GET',
    `/openapi/conversations?filter=last_message_at:null,number:${chat.number}`,
  );
  return data.length === 1;
};

describe('the last message of a conversation', () => {
  it('moves back, together with its time, when messages are deleted in any order', async () => {
    const chat = await open();
    const [one, two, three] = [await send(chat, 'one'), await send(chat, 'two'), await send(chat, 'three')];
    expect(await last(chat)).toEqual(['three', three.created_at]);
    await remove(two);
    expect(await last(chat)).toEqual(['three', three.created_at]);
    await remove(three);
    expect(await last(chat)).toEqual(['one', one.created_at]);
    await remove(one);
    expect(await last(chat)).toEqual([null, null]);
    expect(await withoutMessages(chat)).toBe(true);
    const four = await send(chat, 'four');
    expect(await last(chat)).toEqual(['four', four.created_at]);
    expect(await withoutMessages(chat)).toBe(false);
  });

  it('orders conversations by the remaining time', async () => {
    const [older, newer] = [await open(), await open()];
    await send(older, 'first');
    await send(newer, 'second');
    const third = await send(older, 'third');
    const order = async () => {
      const { data } = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/conversations?sort=last_message_at&filter=number:${older.number}|${newer.number}`,
      );
      return data.map(({ id }) => id);
    };
    expect(await order()).toEqual([older.id, newer.id]);
    await remove(third);
    expect(await order()).toEqual([newer.id, older.id]);
  });
});

describe('a scheduled message', () => {
  it('is neither the last message nor unread before it is sent, and both from then on', async () => {
    const chat = await open();
    const now = await send(chat, 'now');
    const later = await send(chat, 'later', { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await last(chat)).toEqual(['now', now.created_at]);
    expect(await unreadOf(chat)).toBe(1);
    const between = await send(chat, 'between');
    await api.must(200, 'PATCH', `/openapi/messages/${later.id}`, { send_at: null });
    const [text, at] = await eventually(
      () => last(chat),
      ([shown]) => shown === 'later',
    );
    expect(text).toBe('later');
    expect(String(at) >= String(between.created_at)).toBe(true);
    expect(await unreadOf(chat)).toBe(3);
    await remove(between);
    expect((await last(chat))[0]).toBe('later');
    await remove(later);
    expect(await last(chat)).toEqual(['now', now.created_at]);
  });

  it('that is deleted before its time leaves no trace', async () => {
    const chat = await open();
    const later = await send(chat, 'later', { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await last(chat)).toEqual([null, null]);
    expect(await unreadOf(chat)).toBe(0);
    await remove(later);
    expect(await last(chat)).toEqual([null, null]);
    expect(await withoutMessages(chat)).toBe(true);
  });
});
