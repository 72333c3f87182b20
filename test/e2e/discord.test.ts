import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import type { SimulatedMessage } from '../../src/contract/simulation/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let conversation: Json;
const simulator = new DiscordSimulator({ limits: 'none' });
const general = () => simulator.chats()[0]?.id ?? '';
const support = () => simulator.chats()[1]?.id ?? '';
const thread = () => simulator.threads()[0]?.id ?? '';

const seen = (chatId: string, enough: (messages: readonly SimulatedMessage[]) => boolean) =>
  eventually(async () => simulator.messages(chatId), enough);
const messages = (enough: (messages: Json[]) => boolean) =>
  eventually(
    async () =>
      (
        await api.must<{ data: Json[] }>(
          200,
          'GET',
          `/openapi/messages?filter=conversation_id:${conversation.id}`,
        )
      ).data,
    enough,
  );

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
    // Its token is accepted before its socket is open. A new bot does not receive messages from before that.
    ({ status, health }) => status === 'connected' && String((health as Json).message).includes('gateway'),
  );
  const link = (external_id: string, external_thread_id?: string) => ({
    connection_id: connection.id,
    external_id,
    attribution: 'persona',
    ...(external_thread_id === undefined ? {} : { external_thread_id }),
  });
  const links = [link(general(), thread()), link(support())];
  conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
});
afterAll(async () => {
  await simulator.stop();
});

describe('a thread and a channel of Discord in one conversation', () => {
  it('relay each other’s messages in the names of their people, with edits, reactions and deletions, and without an echo', async () => {
    const said = await simulator.post({ chatId: thread(), sender: 'Ada', text: 'hello from the **thread**' });
    const [copy] = await seen(support(), (all) => all.length === 1);
    expect(copy).toMatchObject({ sender: 'Ada', text: 'hello from the **thread**', own: true });

    await simulator.edit(thread(), said, 'hello again');
    await seen(support(), ([first]) => first?.text === 'hello again' && first.sender === 'Ada');

    simulator.people.react(support(), copy?.id ?? '', 'Bob', '👍');
    await eventually(
      async () => simulator.reactions(thread(), said),
      (shown) => shown['👍'] === 1,
    );
    simulator.people.clearReactions(support(), copy?.id ?? '');
    await eventually(
      async () => simulator.reactions(thread(), said),
      (shown) => shown['👍'] === undefined,
    );

    await simulator.post({ chatId: support(), sender: 'Bob', text: 'hi Ada', replyToId: copy?.id ?? '' });
    const answered = await seen(thread(), (all) => all.length === 2);
    expect(answered[1]).toMatchObject({ sender: 'Bob', text: 'hi Ada' });
    const [latest] = await messages((all) => all.length === 2);
    expect(latest).toMatchObject({ text: 'hi Ada', reply_to_id: expect.any(String) });

    await simulator.remove(thread(), said);
    await seen(support(), ([first]) => first?.deleted === true);
    expect([simulator.messages(thread()).length, simulator.messages(support()).length]).toEqual([2, 2]);
  });

  it('resolve replies of people to a message that is not recorded as sent yet', async () => {
    simulator.faults.set({
      fault: { kind: 'drop_after' },
      call: 'POST /channels/:id/messages',
      chatId: support(),
    });
    const asked = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.id,
      text: 'Is anybody there?',
    });
    const isCopy = ({ text }: SimulatedMessage) => text === 'Is anybody there?';
    const copy = (await seen(support(), (all) => all.some(isCopy))).find(isCopy);
    expect(simulator.faults.waiting()).toEqual([]);
    await simulator.post({ chatId: support(), sender: 'Bob', text: 'I am', replyToId: copy?.id ?? '' });
    simulator.people.react(support(), copy?.id ?? '', 'Bob', '👋');
    const isReply = ({ text, reply_to_id }: Json) => text === 'I am' && reply_to_id === asked.id;
    await messages((all) => all.some(isReply));
    await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${asked.id}`),
      ({ reactions }) => (reactions as Json[]).some(({ emoji }) => emoji === '👋'),
    );
    expect(simulator.messages(support()).filter(isCopy)).toHaveLength(1);
  });

  it('receive commands as messages of the people who use them', async () => {
    const id = simulator.people.command(support(), 'Bob', 'ask', { question: 'why?' });
    await messages((all) => all.some(({ text }) => text === '/ask question: why?'));
    await eventually(
      async () => simulator.people.answerTo(id),
      (answer) => answer !== undefined,
    );
    const copies = await seen(thread(), (all) => all.some(({ text }) => text.includes('ask')));
    expect(copies.at(-1)).toMatchObject({ sender: 'Bob' });
  });
});
