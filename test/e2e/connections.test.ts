import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { TestStream } from '../support/event-stream.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';
const SECRET = /bot_token|auth_token|signing_secret|simulated|xox/;

let service: SharedService;
let api: ApiClient;
const simulators: Record<string, SynchronousSimulator> = {
  telegram: new TelegramSimulator(),
  discord: new DiscordSimulator(),
  slack: new SlackSimulator(),
  sms: new TwilioSimulator(),
};

const read = (id: unknown) => api.must(200, 'GET', `/openapi/platforms/connections/${id}`);
const reaches = (id: unknown, status: string) =>
  eventually(
    () => read(id),
    (connection) => connection.status === status,
  );

/** The simulator's account under its own name, so that one test does not disturb the others. */
async function connect(platform: string, more: Json = {}): Promise<Json> {
  const account = simulators[platform]?.account();
  return api.must(201, 'POST', `/openapi/platforms/${platform}/connections`, {
    name: `${platform} account`,
    ...account,
    ...more,
  });
}

beforeAll(async () => {
  await Promise.all(Object.values(simulators).map((simulator) => simulator.start()));
  service = await shareService();
  api = service.client();
});
afterAll(async () => {
  await Promise.all(Object.values(simulators).map((simulator) => simulator.stop()));
});

it('settings that are sent concurrently are all stored', async () => {
  const { id } = await connect('telegram', { enabled: false });
  const path = `/openapi/platforms/connections/${id}`;
  for (const [policy, chats] of [
    ['retry', 'ignore'],
    ['hold', 'create'],
    ['retry', 'create'],
    ['hold', 'ignore'],
    ['retry', 'create'],
    ['hold', 'ignore'],
  ]) {
    await Promise.all([
      api.must(200, 'PATCH', path, { settings: { uncertain_policy: policy } }),
      api.must(200, 'PATCH', path, { settings: { unlinked_chats: chats } }),
    ]);
    expect((await read(id)).settings).toMatchObject({ uncertain_policy: policy, unlinked_chats: chats });
  }
  await api.must(204, 'DELETE', path);
});

describe('platforms and protocols', () => {
  it('are the installed adapters without the sandbox', async () => {
    const ids = ['discord', 'slack', 'sms', 'telegram'];
    for (const path of ['/openapi/platforms', '/openapi/protocols']) {
      const list = await api.must<{ data: Json[]; meta: Json }>(200, 'GET', `${path}?sort=name&order=asc`);
      expect(list.data.map(({ id }) => id).sort()).toEqual(ids);
      expect(list.meta).toMatchObject({ total_items: 4 });
      expect((await api.must<{ data: Json[] }>(200, 'GET', `${path}?filter=id:slack`)).data).toHaveLength(1);
      for (const id of ids) expect(await api.must(200, 'GET', `${path}/${id}`)).toMatchObject({ id });
      for (const id of ['sandbox', 'icq', 'Slack']) await api.must(404, 'GET', `${path}/${id}`);
    }
    expect(await api.must(200, 'GET', '/openapi/platforms/sms')).toMatchObject({
      status: 'available',
      connections: [],
    });
  });

  it('describe the settings of a connection, with secrets marked', async () => {
    const { config_schema, ingress, capabilities } = await api.must(
      200,
      'GET',
      '/openapi/protocols/telegram',
    );
    const { credentials, settings } = config_schema as Record<string, Json[]>;
    expect(credentials).toContainEqual(
      expect.objectContaining({ name: 'bot_token', type: 'secret', required: true }),
    );
    expect(settings).toContainEqual(
      expect.objectContaining({
        name: 'uncertain_policy',
        default: 'hold',
        enum: ['reconcile', 'hold', 'retry'],
      }),
    );
    expect(ingress).toEqual(['poll', 'webhook']);
    expect(capabilities).toMatchObject({ v: 1, text: { max: 4096, unit: 'utf16' } });
  });
});

describe('a new connection', () => {
  it.each(['telegram', 'discord', 'slack', 'sms'])('on %s works within ten seconds', async (platform) => {
    const made = await connect(platform);
    const { credentials } = simulators[platform]?.account() ?? { credentials: {} };
    expect(made).toMatchObject({
      platform,
      name: `${platform} account`,
      enabled: true,
      status: 'connecting',
      webhook_url: `${service.url}/hooks/${platform}/${made.id}`,
      gaps: [],
      counters: { received: 0, sent: 0, failed: 0, uncertain: 0 },
      identity: null,
      last_error: null,
      credentials_set: expect.arrayContaining(Object.keys(credentials)),
    });
    expect(made.settings).toMatchObject({
      unlinked_chats: 'create',
      api_base_url: expect.stringContaining('127.0.0.1'),
    });
    const connected = await reaches(made.id, 'connected');
    expect(connected).toMatchObject({ health: { code: 'ok' }, last_error: null });
    expect((connected.identity as Json).external_id).toEqual(expect.any(String));
    const secrets = Object.entries(credentials).filter(([name]) => name !== 'account_sid');
    for (const [, value] of secrets) expect(JSON.stringify(connected)).not.toContain(value);
    const test = await api.must(200, 'POST', `/openapi/platforms/connections/${made.id}/test`);
    expect(test).toMatchObject({ ok: true, identity: connected.identity, error: null });
    expect(await api.must(200, 'GET', `/openapi/platforms/${platform}`)).toMatchObject({
      status: 'connected',
      connections: [{ id: made.id }],
    });
  });

  it('with a mistyped token shows an error and what to do within ten seconds, and works once it is corrected', async () => {
    // A separate account, because two pollers of one bot would stop each other.
    const other = new TelegramSimulator();
    await other.start();
    const { credentials, settings } = other.account();
    const wrong = { ...credentials, bot_token: `${String(credentials.bot_token).slice(0, -3)}AAA` };
    const events = await TestStream.open(service.url, { key: service.key, query: '?events=platform.*' });
    const { id } = await connect('telegram', { name: 'Mistyped', credentials: wrong, settings });
    const refused = await reaches(id, 'error');
    expect(refused).toMatchObject({
      health: { code: 'bad_credentials' },
      last_error: { code: 'auth_revoked', permanent: true },
    });
    expect((refused.health as Json).fix).toMatch(/token/i);
    expect(JSON.stringify(refused)).not.toContain(wrong.bot_token);
    expect(await api.must(200, 'GET', '/openapi/platforms/telegram')).toMatchObject({ status: 'error' });

    const failed = await api.must(200, 'POST', `/openapi/platforms/connections/${id}/test`);
    expect(failed).toMatchObject({ ok: false, identity: null, error: { code: 'auth_revoked' } });
    expect(await api.must(200, 'POST', `/openapi/platforms/connections/${id}/reconnect`)).toMatchObject({
      status: 'connecting',
    });
    await reaches(id, 'error');

    const corrected = await api.must(200, 'PATCH', `/openapi/platforms/connections/${id}`, {
      credentials: { bot_token: credentials.bot_token },
    });
    expect(corrected.status).toBe('connecting');
    expect(await reaches(id, 'connected')).toMatchObject({
      health: { code: 'ok', fix: null },
      last_error: null,
    });
    const same = { credentials: { bot_token: credentials.bot_token }, settings: {} };
    // The service may still store what it learns while it connects.
    const keepAsItIs = async () => {
      const working = await read(id);
      const { status, updated_at: at } = await api.must(
        200,
        'PATCH',
        `/openapi/platforms/connections/${id}`,
        same,
      );
      return [status, at === working.updated_at];
    };
    await expect.poll(keepAsItIs).toEqual(['connected', true]);
    await api.must(200, 'PATCH', `/openapi/platforms/connections/${id}`, { enabled: false });
    const told = () =>
      events.events.flatMap(({ event, data }) => {
        const connection = data?.data as Json;
        return connection.id === id ? [`${event}, ${connection.status}`] : [];
      });
    await events.until(() => told().length >= 4);
    expect(told()).toEqual([
      'platform.error, error',
      'platform.error, error',
      'platform.connected, connected',
      'platform.disconnected, disabled',
    ]);
    events.close();
    await api.must(204, 'DELETE', `/openapi/platforms/connections/${id}`);
    await other.stop();
  });

  it('in Socket Mode with a mistyped app-level token shows the error within ten seconds, and its test names the token', async () => {
    const other = new SlackSimulator();
    await other.start();
    const { credentials, settings } = other.accountForGateway();
    const wrong = { ...credentials, app_token: 'xapp-1-A0-mistyped' };
    const { id } = await connect('slack', { name: 'Mistyped app token', credentials: wrong, settings });
    const refused = await reaches(id, 'error');
    expect(refused).toMatchObject({
      health: { code: 'bad_credentials', fix: expect.stringContaining('app_token') },
    });
    const test = () => api.must(200, 'POST', `/openapi/platforms/connections/${id}/test`);
    expect(await test()).toMatchObject({
      ok: false,
      checks: [
        { name: 'credentials', ok: true },
        { name: 'ingress', ok: false, message: expect.stringContaining('app_token') },
      ],
      identity: refused.identity,
      error: { code: 'auth_revoked', permanent: true, platform_code: 'invalid_auth' },
    });
    await api.must(200, 'PATCH', `/openapi/platforms/connections/${id}`, {
      credentials: { app_token: credentials.app_token },
    });
    await reaches(id, 'connected');
    expect(await test()).toMatchObject({ ok: true, checks: [{ ok: true }, { name: 'ingress', ok: true }] });
    await api.must(204, 'DELETE', `/openapi/platforms/connections/${id}`);
    await other.stop();
  });

  it('to an address without a server stays connecting and reports it, and the others continue', async () => {
    const { id } = await connect('slack', {
      name: 'Nobody there',
      settings: { ...simulators.slack?.account().settings, api_base_url: 'http://127.0.0.1:1999' },
    });
    const waiting = await eventually(
      () => read(id),
      ({ health }) => (health as Json).code === 'transient',
    );
    expect(waiting).toMatchObject({ status: 'connecting', health: { fix: expect.any(String) } });
    expect(await api.must(200, 'POST', `/openapi/platforms/connections/${id}/test`)).toMatchObject({
      ok: false,
      error: { permanent: false },
    });
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/openapi/platforms/connections?filter=status:connected',
    );
    expect(data).toHaveLength(4);
    await api.must(204, 'DELETE', `/openapi/platforms/connections/${id}`);
  });
});

describe('the webhook address of a connection', () => {
  const push = (path: string) => fetch(`${service.url}/hooks/${path}`, { method: 'POST', body: '{}' });

  it('refuses unsigned requests, even if the platform uses no webhooks, and is 404 for an unknown connection', async () => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    expect(data.map(({ platform }) => platform).sort()).toEqual(['discord', 'slack', 'sms', 'telegram']);
    for (const { id, platform } of data) {
      const refused = await push(`${platform}/${id}`);
      const { status, headers } = refused;
      expect([platform, status, headers.get('content-type'), headers.get('www-authenticate')]).toEqual([
        platform,
        401,
        'application/json; charset=utf-8',
        'Signature',
      ]);
      expect(await refused.json()).toMatchObject({ error: 'unauthorized' });
      expect((await push(`${platform === 'sms' ? 'slack' : 'sms'}/${id}`)).status).toBe(404);
    }
    expect((await push('slack/019b76da-a800-7000-8000-000000000001')).status).toBe(404);
  });
});

describe('changing a connection', () => {
  it.each(['/v1', '/v2'])('refuses unknown names under %s', async (version) => {
    const { credentials, settings } = simulators.sms?.account() ?? {};
    const wrong = {
      name: 'Mistyped',
      enabled: false,
      credentials: { ...(credentials as Json), zork: '1' },
      settings: { ...(settings as Json), rate_per_secnod: 1 },
    };
    const path = `${version}/openapi/platforms/sms/connections`;
    const refused = await api.post(path, wrong);
    expect([refused.status, fieldsOf(refused)]).toEqual([
      400,
      [
        ['credentials.zork', 'unknown_field'],
        ['settings.rate_per_secnod', 'unknown_field'],
      ],
    ]);
    const { fields } = refused.body.details as { fields: { message: string }[] };
    expect(fields[1]?.message).toBe('Unknown name. The nearest known field is settings.rate_per_second.');
    const { id } = await api.must(201, 'POST', path, { ...wrong, credentials, settings });
    const change = { settings: { zork: 1, unlinked_chats: 'ignore' } };
    expect(fieldsOf(await api.patch(`${version}/openapi/platforms/connections/${id}`, change))).toEqual([
      ['settings.zork', 'unknown_field'],
    ]);
    await api.must(204, 'DELETE', `/openapi/platforms/connections/${id}`);
  });

  it('merges settings by key, disables and enables, and leaves an unchanged one as it was', async () => {
    const { id } = await connect('sms', { name: 'Change me', enabled: false });
    const path = `/openapi/platforms/connections/${id}`;
    const off = await read(id);
    expect(off).toMatchObject({ enabled: false, status: 'disabled', health: { code: 'disabled' } });
    expect(reasonOf(await api.post(`${path}/reconnect`))).toBe('invalid_state');
    const changed = await api.must(200, 'PATCH', path, {
      name: 'Changed',
      settings: { unlinked_chats: 'ignore' },
    });
    expect(changed).toMatchObject({
      name: 'Changed',
      status: 'disabled',
      settings: { ...(off.settings as Json), unlinked_chats: 'ignore' },
    });
    expect(await api.must(200, 'PATCH', path, { name: 'Changed' })).toEqual(changed);
    expect(await api.must(200, 'PATCH', path, { enabled: true })).toMatchObject({
      enabled: true,
      status: 'connecting',
    });
    await reaches(id, 'connected');
    expect(await api.must(200, 'PATCH', path, { enabled: false })).toMatchObject({ status: 'disabled' });
    await api.must(204, 'DELETE', path);
    await api.must(404, 'GET', path);
    await api.must(404, 'DELETE', path);
    await api.must(404, 'PATCH', path, { name: 'x' });
    for (const action of ['test', 'reconnect']) await api.must(404, 'POST', `${path}/${action}`);
  });

  it.each<[string, string, Json, [string, string]]>([
    ['no name', 'telegram', { name: undefined }, ['name', 'required']],
    ['no credentials', 'telegram', { credentials: undefined }, ['credentials', 'required']],
    ['no token', 'telegram', { credentials: {} }, ['credentials.bot_token', 'required']],
    [
      'a number as token',
      'telegram',
      { credentials: { bot_token: 5 } },
      ['credentials.bot_token', 'invalid_type'],
    ],
    [
      'another ingress',
      'telegram',
      { settings: { ingress: 'gateway' } },
      ['settings.ingress', 'invalid_value'],
    ],
    [
      'a lookup where there is none',
      'telegram',
      { settings: { uncertain_policy: 'reconcile' } },
      ['settings.uncertain_policy', 'unsupported'],
    ],
    [
      'a forbidden address',
      'telegram',
      { settings: { api_base_url: 'http://10.0.0.1' } },
      ['settings.api_base_url', 'forbidden_target'],
    ],
    [
      'the database as platform',
      'telegram',
      { settings: { api_base_url: 'http://127.0.0.1:5432' } },
      ['settings.api_base_url', 'forbidden_target'],
    ],
    ['no sender', 'sms', { settings: {} }, ['settings.from', 'required']],
    [
      'two senders',
      'sms',
      { settings: { from: '+12025550100', messaging_service_sid: 'MG1' } },
      ['settings.messaging_service_sid', 'exclusive'],
    ],
    [
      'no signing secret',
      'slack',
      { credentials: { bot_token: 'xoxb-1' }, settings: { ingress: 'webhook' } },
      ['credentials.signing_secret', 'required'],
    ],
  ])('refuses %s', async (_what, platform, more, problem) => {
    const account = simulators[platform]?.account();
    const answer = await api.post(`/openapi/platforms/${platform}/connections`, {
      name: 'x',
      ...account,
      ...more,
    });
    expect(fieldsOf(answer)).toContainEqual(problem);
    const shown = problem[0].startsWith('credentials') ? '' : answer.text;
    expect(shown).not.toMatch(SECRET);
  });

  it('is 404 on a platform that is not installed', async () => {
    const body = { name: 'x', credentials: {} };
    for (const platform of ['icq', 'sandbox']) {
      await api.must(404, 'POST', `/openapi/platforms/${platform}/connections`, body);
      await api.must(404, 'GET', `/openapi/platforms/${platform}/connections`);
    }
    await api.must(404, 'GET', `/openapi/platforms/connections/${NOBODY}`);
  });

  it('does not allow a 101st connection to be created', async () => {
    const answers: number[] = [];
    for (let at = 0; at < 97; at += 1) {
      const body = { name: `n${at}`, enabled: false, ...simulators.telegram?.account() };
      const answer = await api.post('/openapi/platforms/telegram/connections', body);
      answers.push(answer.status);
      if (answer.status === 409) {
        expect([reasonOf(answer), (answer.body.details as Json).limit]).toEqual(['limit_reached', 100]);
      }
    }
    expect(answers.filter((status) => status === 409)).toEqual([409]);
  });
});
