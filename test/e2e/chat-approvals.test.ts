import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { AgentClients, callTool } from '../support/agent-client.js';
import type { Json } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';
import { waitFor } from '../support/wait-for.js';

/** For a condition that becomes true within this time, or never. */
const WAIT = { timeout: 30_000, interval: 100 };

const telegram = new TelegramSimulator();
const slack = new SlackSimulator();
const platforms = {
  telegram: {
    simulator: telegram,
    chat: '-1001000000001',
    customer: '500000001',
    connect: () => telegram.account(),
  },
  slack: {
    simulator: slack,
    chat: 'C0SIMSUPPORT',
    customer: '500000002',
    connect: () => slack.accountForGateway(),
  },
} as const;

let stage: OAuthStage;
let key: string;
let toCustomers: unknown;
const clients = new AgentClients();

beforeAll(async () => {
  await telegram.start();
  await slack.start();
  stage = await shareOAuthStage();
  key = await stage.service.createKey({ scopes: 'messages:draft,messages:read,conversations:read' });
});
afterEach(() => clients.close());
afterAll(async () => {
  await stage?.stop();
  await telegram.stop();
  await slack.stop();
});

const send = (method: string, path: string, body?: Json, person: Person = stage.owner) =>
  stage.anonymous.send(method, `/dashboard/api${path}`, {
    headers: asPerson(person),
    ...(body && { body }),
  });

async function linked(title: string, connection_id: unknown, external_id: string): Promise<Json> {
  const body = { title, links: [{ connection_id, external_id }] };
  return stage.api.must(201, 'POST', '/openapi/conversations', body);
}

describe.each(Object.entries(platforms))('A draft in a staff chat on %s', (platform, on) => {
  const { simulator, chat, customer } = on;
  let about: Json;
  let member: Person;

  const shown = () => simulator.messages(chat).filter(({ deleted, own }) => own && !deleted);
  const found = (id: string) => shown().find((message) => message.id === id);
  const received = () => telegram.messages(customer).map(({ text }) => text);
  const press = (id: string, sender: string, label: string) => simulator.press(chat, id, sender, label);
  const says = (text: RegExp) =>
    waitFor(() => expect(shown().filter((message) => text.test(message.text))).toHaveLength(1));
  const becomes = (id: string, text: RegExp) => expect.poll(() => found(id)?.text, WAIT).toMatch(text);

  async function request(text: string) {
    const client = await clients.overHttp(stage.service.url, key);
    const { data } = await callTool(client, 'draft_message', { conversation: String(about.id), text });
    expect(data.status).toBe('pending');
    const seen = () => shown().find((message) => message.text.endsWith(`\n${text}`));
    await expect.poll(() => seen()?.buttons, WAIT).toEqual(['Approve', 'Refuse']);
    return { id: seen()?.id ?? '', proposal: String(data.id) };
  }

  const connect = async (name: string, account: object) =>
    (await stage.api.must(201, 'POST', `/openapi/platforms/${name}/connections`, { name, ...account })).id;

  beforeAll(async () => {
    toCustomers ??= await connect('telegram', telegram.account());
    const bot = platform === 'telegram' ? toCustomers : await connect(platform, on.connect());
    const staff = await linked(`Team on ${platform}`, bot, chat);
    about = await linked(`Customer <!channel> @ann`, toCustomers, customer);
    const chosen = { conversation_number: staff.number, approvals: true };
    expect((await send('PUT', '/workspace/staff-chat', chosen as Json)).body).toMatchObject(chosen);
    member = await addMember(stage);
    await write(member, 'Ann');
    await says(/^Ann decides on drafts here for user_/);
  });

  /** The person writes the code of the member into the staff chat. */
  async function write(person: Person, sender: string) {
    const { body } = await send('POST', '/chat-identities/code', {}, person);
    // Slack treats a text that begins with a slash as a command.
    const text = platform === 'slack' ? String(body.text).slice(1) : String(body.text);
    await simulator.post({ chatId: chat, sender, text });
  }

  it('reaches the customer once, even if a linked member presses Approve twice', async () => {
    const text = `It is on its way (${platform}).`;
    const { id, proposal } = await request(text);
    press(id, 'Ann', 'Approve');
    press(id, 'Ann', 'Approve');
    await becomes(id, /was approved by user_/);
    expect(found(id)?.buttons).toBeUndefined();
    await expect.poll(received, WAIT).toEqual([text]);
    await says(/^Ann, this draft was decided on or has expired\.$/);
    expect(received()).toEqual([text]);
    const sent = { text, sender_id: member.userId, metadata: { proposal_id: proposal } };
    const { data } = await stage.api.must(200, 'GET', `/openapi/messages?conversation_id=${about.id}`);
    expect(data).toMatchObject([sent]);
  });

  it('does not reach the customer after Refuse', async () => {
    const before = received();
    const { id } = await request(`No (${platform}).`);
    press(id, 'Ann', 'Refuse');
    await becomes(id, /was refused by user_/);
    expect(received()).toEqual(before);
  });

  it('cannot be approved by a suspended member or by a stranger, who is shown how to link an account', async () => {
    const before = received();
    const { id } = await request(`Perhaps (${platform}). <!channel> <@U1P000001> @everyone`);
    press(id, 'Eve', 'Approve');
    await says(/^Eve, this account is not linked to a member\. /);
    const suspended = await addMember(stage);
    await write(suspended, 'Sam');
    await says(/^Sam decides on drafts here for user_/);
    const body = { status: 'suspended' };
    expect((await send('PATCH', `/members/${suspended.userId}`, body)).status).toBe(200);
    press(id, 'Sam', 'Approve');
    await says(/^Sam, you may not decide on this draft\.$/);
    expect([received(), found(id)?.buttons]).toEqual([before, ['Approve', 'Refuse']]);
    expect(shown().flatMap((message) => message.pings ?? [])).toEqual([]);
    press(id, 'Ann', 'Refuse');
    await becomes(id, /was refused by user_/);
  });

  it('is not sent by a press that arrives after a decision in the inbox', async () => {
    const before = received();
    const { id, proposal } = await request(`Later (${platform}).`);
    expect((await send('POST', `/proposals/${proposal}/refuse`)).status).toBe(200);
    press(id, 'Ann', 'Approve');
    await becomes(id, /was refused by /);
    await expect.poll(async () => outcomesOf(proposal), WAIT).toEqual(['closed']);
    expect(received()).toEqual(before);
  });

  it('can no longer be approved from an account that the member unlinked', async () => {
    const { body } = await send('GET', '/chat-identities', undefined, member);
    const [identity] = body.data as Json[];
    expect(identity).toMatchObject({ platform, name: 'Ann' });
    const path = `/chat-identities/${identity?.id}`;
    expect((await send('DELETE', path)).status).toBe(404);
    expect((await send('DELETE', path, undefined, member)).status).toBe(204);
    const before = received();
    const { id, proposal } = await request(`Never (${platform}).`);
    press(id, 'Ann', 'Approve');
    await expect.poll(async () => outcomesOf(proposal), WAIT).toEqual(['unlinked']);
    expect(received()).toEqual(before);
  });
});

async function outcomesOf(proposal: string): Promise<string[]> {
  const { rows } = await stage.database.pool.query(
    'SELECT outcome FROM approval_presses WHERE proposal_id = $1 ORDER BY id',
    [proposal],
  );
  return rows.map(({ outcome }) => outcome);
}
