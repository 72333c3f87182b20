import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { eventually, fieldsOf, type Json } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, startOAuthStage } from '../support/oauth.js';
import { type BrowserSubscription, PushService } from '../support/push-service.js';

const simulator = new TwilioSimulator({ limits: 'none' });
const customer = simulator.chats()[0]?.id ?? '';
let service: PushService;
let stage: OAuthStage;
let conversation: Json;
let member: Person;

function send(method: string, path: string, body?: Json, person: Person = member) {
  const options = { headers: asPerson(person), ...(body && { body }) };
  return stage.anonymous.send(method, `/dashboard/api${path}`, options);
}

beforeAll(async () => {
  await simulator.start();
  service = await PushService.start();
  stage = await startOAuthStage({ env: { NODE_EXTRA_CA_CERTS: service.certificateFile } });
  const connection = await stage.api.must<Json>(201, 'POST', '/openapi/platforms/sms/connections', {
    name: 'number',
    ...simulator.account(),
  });
  await eventually(
    () => stage.api.must<Json>(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
    ({ health }) => (health as Json | undefined)?.message === 'Ready for webhooks from Twilio.',
  );
  simulator.setWebhook(String(connection.webhook_url));
  const links = [{ connection_id: connection.id, external_id: customer }];
  conversation = await stage.api.must(201, 'POST', '/openapi/conversations', { links });
});
beforeEach(async () => {
  member = await addMember(stage, 'member');
});
afterAll(async () => {
  await stage?.stop();
  await service?.close();
  await simulator.stop();
});

async function subscribed(person: Person = member): Promise<BrowserSubscription> {
  const browser = service.browser();
  const { endpoint, keys } = browser;
  expect((await send('PUT', '/push-subscription', { endpoint, keys: { ...keys } }, person)).status).toBe(204);
  return browser;
}

const write = (text: string) => simulator.post({ chatId: customer, sender: 'Ada', text });
const bodiesOf = (browser: BrowserSubscription) => service.of(browser).map(({ payload }) => payload.body);

describe('a browser that receives pushes', () => {
  it('receives the text of a customer, until its session ends', async () => {
    const browser = await subscribed();
    expect((await send('GET', '/notifications')).body.pushes_here).toBe(true);
    await write('Where is my parcel?');
    await expect.poll(() => bodiesOf(browser)).toEqual(['Where is my parcel?']);
    expect(service.of(browser)[0]?.payload).toMatchObject({
      tag: conversation.id,
      path: `/dashboard/inbox/${conversation.number}`,
    });
    const witness = await subscribed(await addMember(stage, 'viewer'));
    expect((await send('DELETE', '/session')).status).toBe(204);
    await write('Hello?');
    await expect.poll(() => bodiesOf(witness)).toEqual(['Hello?']);
    expect(service.of(browser)).toHaveLength(1);
  });

  it('receives nothing if its member has the conversation open in a page or is suspended', async () => {
    const [open, suspended] = [member, await addMember(stage, 'member')];
    const browsers = [await subscribed(open), await subscribed(suspended)];
    const witness = await subscribed(await addMember(stage, 'viewer'));
    expect((await send('PUT', `/conversations/${conversation.id}/viewing`, {}, open)).status).toBe(200);
    const change = { status: 'suspended' };
    expect((await send('PATCH', `/members/${suspended.userId}`, change, stage.owner)).status).toBe(200);
    await write('Anybody?');
    await expect.poll(() => bodiesOf(witness)).toEqual(['Anybody?']);
    expect(browsers.map((browser) => service.of(browser))).toEqual([[], []]);
  });

  it('receives no text if the stored settings of its member exclude it', async () => {
    const browser = await subscribed();
    const defaults = {
      sound_mine: true,
      sound_unassigned: true,
      sound_calls: true,
      push_mine: true,
      push_unassigned: true,
      push_calls: true,
      push_shows_text: true,
      pushes_here: true,
    };
    expect((await send('GET', '/notifications')).body).toEqual(defaults);
    const changed = await send('PATCH', '/notifications', { push_shows_text: false, sound_mine: false });
    const wanted = { ...defaults, push_shows_text: false, sound_mine: false };
    expect([changed.status, changed.body]).toEqual([200, wanted]);
    expect((await send('GET', '/notifications')).body).toEqual(wanted);
    await write('My card is 4111');
    await expect.poll(() => bodiesOf(browser)).toEqual([null]);
    expect(fieldsOf(await send('PATCH', '/notifications', { sound_mine: 'loud' }))).toEqual([
      ['sound_mine', 'invalid_type'],
    ]);
  });

  it('receives a test push, and is removed when its push service reports it as gone', async () => {
    const test = () => send('POST', '/push-subscription/test');
    expect((await test()).status).toBe(404);
    const browser = await subscribed();
    expect((await test()).body).toEqual({ result: 'sent' });
    expect(service.of(browser)[0]?.payload).toMatchObject({ title: null, body: null });
    service.answers.push({ status: 403 }, { status: 503 }, { status: 410 });
    const results = [await test(), await test(), await test()].map(({ body }) => body.result);
    expect(results).toEqual(['refused', 'unreachable', 'gone']);
    expect((await send('GET', '/notifications')).body.pushes_here).toBe(false);
    await subscribed();
    expect((await send('DELETE', '/push-subscription')).status).toBe(204);
    expect((await send('GET', '/notifications')).body.pushes_here).toBe(false);
  });

  it('is refused if its endpoint is a forbidden target', async () => {
    const { keys } = service.browser();
    for (const endpoint of ['https://10.0.0.1/push', 'https://[::1]/push', 'https://169.254.169.254/x'])
      expect(fieldsOf(await send('PUT', '/push-subscription', { endpoint, keys: { ...keys } }))).toEqual([
        ['endpoint', 'forbidden_target'],
      ]);
    const plain = { endpoint: 'http://push.example/x', keys: { ...keys } };
    expect((await send('PUT', '/push-subscription', plain)).status).toBe(400);
  });
});

describe('the key with which browsers subscribe', () => {
  it('is the same at each request', async () => {
    const [first, second] = [await send('GET', '/push-key'), await send('GET', '/push-key')];
    expect(first.body.public_key).toMatch(/^[\w-]{87}$/);
    expect(second.body).toEqual(first.body);
  });
});
