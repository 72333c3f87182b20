import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
const simulator = new DiscordSimulator({ limits: 'none' });
const conversations = new Map<string, Json>();

const channels = () => simulator.chats().filter(({ kind }) => kind === 'group');
const [general, support, orders] = channels().map(({ id }) => id) as [string, string, string];
const forum = simulator.forumId;

beforeAll(async () => {
  await simulator.start();
  service = await shareService();
  api = service.client();
  const connection = await api.must(201, 'POST', '/openapi/platforms/discord/connections', {
    name: 'bot',
    ...simulator.account(),
  });
  await eventually(
    () => api.must(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
    ({ status, health }) => status === 'connected' && String((health as Json).message).includes('gateway'),
  );
  for (const external_id of [general, support, orders, forum]) {
    const links = [{ connection_id: connection.id, external_id, attribution: 'persona' }];
    conversations.set(external_id, await api.must(201, 'POST', '/openapi/conversations', { links }));
  }
});
afterAll(async () => {
  await simulator.stop();
});

/** A message of a person, as the service stored it. */
async function heard(chatId: string, threadId: string, text: string): Promise<Json> {
  const externalId = await simulator.post({ chatId: threadId, sender: 'Ada', text });
  const path = `/openapi/messages?filter=conversation_id:${conversations.get(chatId)?.id}`;
  const found = await eventually(
    async () => (await api.must<{ data: Json[] }>(200, 'GET', path)).data.find((each) => each.text === text),
    (message) => message !== undefined,
  );
  return { ...found, externalId };
}

/** Sends a message, and returns it with its delivery once that is sent. */
async function say(chatId: string, text: string, more: Json = {}): Promise<Json & { delivery: Json }> {
  const body = { conversation_id: conversations.get(chatId)?.id, text, ...more };
  const { id } = await api.must(201, 'POST', '/openapi/messages', body);
  const sent = await eventually(
    () => api.must(200, 'GET', `/openapi/messages/${id}`),
    ({ deliveries }) => (deliveries as Json[]).every(({ status }) => status === 'sent'),
  );
  return { ...sent, delivery: (sent.deliveries as Json[])[0] ?? {} };
}

const shown = (channel: string) => simulator.messages(channel).filter(({ deleted }) => !deleted);
const seen = (channel: string, text: string) => shown(channel).find((message) => message.text === text);
const idOn = ({ delivery }: { delivery: Json }) => String((delivery.parts as Json[])[0]?.external_id);

describe('a link to a whole channel of Discord', () => {
  it('replies to a message of a thread in that thread, and edits the reply there', async () => {
    const thread = simulator.people.openThread(general, 'details');
    const question = await heard(general, thread, 'why?');
    const answer = await say(general, 'because', { reply_to_id: question.id });
    expect(seen(thread, 'because')).toMatchObject({ own: true, replyToId: question.externalId });
    expect(seen(general, 'because')).toBeUndefined();
    expect(answer.delivery.degradations).toEqual([]);

    await say(general, 'and more', { reply_to_id: answer.id });
    expect(seen(thread, 'and more')?.replyToId).toBe(idOn(answer));

    await api.must(200, 'PATCH', `/openapi/messages/${answer.id}`, { text: 'because of that' });
    await eventually(async () => seen(thread, 'because of that'), Boolean);
    for (const [message, id] of [
      [answer, idOn(answer)],
      [question, String(question.externalId)],
    ] as const) {
      await api.must(200, 'PUT', `/openapi/messages/${message.id}/reactions/${encodeURIComponent('👍')}`);
      await eventually(async () => simulator.reactions(thread, id)['👍'], Boolean);
    }
    await api.must(204, 'DELETE', `/openapi/messages/${answer.id}`);
    await eventually(
      async () => seen(thread, 'because of that'),
      (message) => message === undefined,
    );
  });

  it('puts a message into the thread of its root, and reopens an archived thread by writing', async () => {
    const root = await say(support, 'root');
    const thread = simulator.people.startThread(support, idOn(root), 'about the root');
    simulator.people.closeThread(thread, { locked: false });
    const inside = await say(support, 'in the thread of the root', { thread_id: root.id });
    expect(seen(thread, 'in the thread of the root')).toMatchObject({ own: true });
    expect(inside.delivery.degradations).toEqual([]);
    await api.must(200, 'PATCH', `/openapi/messages/${inside.id}`, { text: 'edited there' });
    await eventually(async () => seen(thread, 'edited there'), Boolean);

    const other = await heard(support, simulator.people.openThread(support, 'others'), 'a root in a thread');
    const beside = await say(support, 'there too', { thread_id: other.id });
    expect(beside.delivery.degradations).toEqual([]);
    expect(seen(support, 'there too')).toBeUndefined();
  });

  it('writes into the channel with a degradation if the thread is locked', async () => {
    const thread = simulator.people.openThread(orders, 'closed');
    const question = await heard(orders, thread, 'anybody?');
    simulator.people.closeThread(thread, { locked: true });
    const answer = await say(orders, 'here', { reply_to_id: question.id });
    expect(seen(orders, 'here')).toMatchObject({ own: true });
    expect(seen(orders, 'here')).not.toHaveProperty('replyToId');
    expect(answer.delivery.degradations).toEqual(['thread', 'reply']);
    await api.must(200, 'PATCH', `/openapi/messages/${answer.id}`, { text: 'here, edited' });
    await eventually(async () => seen(orders, 'here, edited'), Boolean);
  });

  it('replies in the post of a forum', async () => {
    const first = await say(forum, 'a new topic');
    const post = idOn(first);
    const question = await heard(forum, post, 'tell me more');
    await say(forum, 'more', { reply_to_id: question.id });
    expect(seen(post, 'more')?.replyToId).toBe(question.externalId);
  });
});
