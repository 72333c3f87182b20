import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { SlackSimulator } from '../../adapters/slack/simulator/index.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { type RehearsalRecord, rehearsalRecord } from '../../src/core/broadcasts/rehearsal/record.js';
import { type ApiAnswer, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';

const simulators = [
  new TelegramSimulator({ limits: 'none' }),
  new DiscordSimulator({ limits: 'none' }),
  new SlackSimulator({ limits: 'none' }),
  new TwilioSimulator({ limits: 'none' }),
];
const [telegram, discord, , sms] = simulators as [
  TelegramSimulator,
  DiscordSimulator,
  SlackSimulator,
  TwilioSimulator,
];
const PATH = '/dashboard/api/broadcasts/rehearsal';
const WRITES = [
  'sendMessage',
  'POST /channels/:id/messages',
  'POST /users/@me/channels',
  'chat.postMessage',
  'messages.create',
];

let stage: OAuthStage;

const ask = (body: Json, person: Person = stage.owner): Promise<ApiAnswer> =>
  stage.anonymous.send('POST', PATH, { headers: asPerson(person), body });

/** The last line of the response. */
async function rehearse(body: Json): Promise<RehearsalRecord> {
  const { status, text } = await ask(body);
  expect(status, text).toBe(200);
  const last = text.trim().split('\n').at(-1) ?? '';
  return rehearsalRecord.parse((JSON.parse(last) as Json).rehearsal);
}

const to = (simulator: (typeof simulators)[number], from: number, count: number, variables: Json = {}) =>
  Array.from({ length: count }, (_, n) => ({
    platform: simulator.platform,
    address: simulator.address(from + n),
    variables,
  }));
const on = ({ connections }: RehearsalRecord, { platform }: { platform: string }) =>
  connections.find((each) => each.platform === platform);

async function connect(simulator: (typeof simulators)[number], settings: Json): Promise<void> {
  const account = simulator.account();
  await stage.api.must(201, 'POST', `/openapi/platforms/${simulator.platform}/connections`, {
    name: `My ${simulator.platform}`,
    credentials: account.credentials,
    settings: { ...account.settings, ...settings },
  });
}

beforeAll(async () => {
  stage = await shareOAuthStage();
  const rates = [30, 50, 1, 1];
  for (const [index, simulator] of simulators.entries()) {
    await simulator.start();
    await connect(simulator, { rate_per_second: rates[index] });
  }
  const connections = async () => (await stage.api.get('/openapi/platforms/connections')).body.data as Json[];
  await eventually(connections, (all) => all.every(({ status }) => status === 'connected'));
});
afterAll(async () => {
  await stage?.stop();
  for (const simulator of simulators) await simulator.stop();
});

it('a rehearsal simulates a broadcast to four platforms within their limits, and stores and sends nothing', async () => {
  const before = await stage.api.must<{ data: Json[] }>(200, 'GET', '/openapi/users?limit=100');
  const found = await rehearse({
    text: 'Hello {{n}}',
    audience: {
      recipients: [
        ...simulators.flatMap((simulator) => to(simulator, 10, 90, { n: 'you' })),
        ...to(sms, 300, 10, { n: 'x'.repeat(200) }),
        ...to(telegram, 300, 2),
      ],
    },
  });
  expect(found).toMatchObject({ recipients: 370, parts: 370, skips: { missing_variable: 2 }, refusals: [] });
  // 90 of one segment and 10 of two, at one segment a second.
  expect(on(found, sms)).toMatchObject({
    name: 'My sms',
    is_live: true,
    rate_per_second: 1,
    recipients: 100,
    calls: 100,
    billed: { unit: 'segments', count: 110 },
    limited_by: 'account',
  });
  const longest = Math.max(...found.connections.map(({ duration_seconds: seconds }) => seconds));
  expect(found.duration_seconds).toBe(longest);
  // The duration of the preparation depends on the machine.
  const played = Number(on(found, sms)?.duration_seconds) - found.preparation_seconds;
  expect(played).toBeGreaterThan(107);
  expect(played).toBeLessThan(120);
  // Each of their chats is opened first.
  expect(on(found, discord)).toMatchObject({ recipients: 90, new_chats: 90, calls: 180 });
  expect(on(found, telegram)).toMatchObject({ calls: 90, rate_per_second: 30, billed: null });
  const after = await stage.api.must<{ data: Json[] }>(200, 'GET', '/openapi/users?limit=100');
  expect(after.data.length).toBe(before.data.length);
  expect((await stage.api.get('/openapi/broadcasts')).body.data).toEqual([]);
  for (const call of WRITES) expect(simulators.flatMap(({ ledger }) => ledger.entries(call))).toEqual([]);
});

it('a rehearsal shows twenty previews, with missing variables, the longest text, and all platforms and variants', async () => {
  const { previews, parts, degradations } = await rehearse({
    text: '**Hello** {{n}}{{n}}{{n}}',
    content_type: 'markdown',
    variants: [
      { key: 'a', weight: 1 },
      { key: 'b', weight: 1, text: 'Dear {{n}}{{n}}{{n}}' },
    ],
    audience: {
      recipients: [
        ...simulators.flatMap((simulator) => to(simulator, 10, 40, { n: 'you' })),
        ...to(telegram, 300, 1, { n: 'long '.repeat(600) }),
        ...to(telegram, 301, 3),
      ],
    },
  });
  expect(previews).toHaveLength(20);
  expect(previews.slice(0, 2)).toMatchObject([
    { reason: 'missing_variable', missing: ['n'], texts: [expect.stringContaining('{{n}}')] },
    { reason: 'missing_variable' },
  ]);
  const long = previews.find(({ reason, platform }) => reason === 'longest' && platform === 'telegram');
  expect(long).toMatchObject({ parts: 3, refusal: null });
  expect(long?.texts).toHaveLength(3);
  expect(long?.texts.join(' ').length).toBeGreaterThan(8_900);
  expect(new Set(previews.map(({ platform }) => platform))).toEqual(
    new Set(simulators.map(({ platform }) => platform)),
  );
  expect(new Set(previews.map(({ variant }) => variant))).toEqual(new Set(['a', 'b']));
  expect(new Set(previews.map((each) => `${each.user_id} ${each.reason}`)).size).toBe(20);
  expect(parts).toBe(163);
  expect(degradations.some(({ platform }) => platform === 'sms')).toBe(true);
});

it('a rehearsal reports which messages a platform would refuse, and why', async () => {
  const found = await rehearse({
    // A euro takes two places of GSM-7.
    text: '€'.repeat(10_000),
    audience: { recipients: [...to(sms, 10, 2), ...to(telegram, 10, 1)] },
  });
  expect(found.refusals).toMatchObject([{ platform: 'sms', code: 'too_long', recipients: 2 }]);
  expect(on(found, sms)).toMatchObject({
    recipients: 2,
    refused: 2,
    parts: 0,
    calls: 0,
    duration_seconds: 0,
  });
  expect(on(found, telegram)).toMatchObject({ refused: 0, parts: 3 });
  expect(found.previews[0]).toMatchObject({ reason: 'refused', refusal: { code: 'too_long' } });
});

it('a rehearsal includes the throttle in the duration', async () => {
  const throttled = await rehearse({
    text: 'Hi',
    throttle: { per_minute: 60 },
    audience: { recipients: to(telegram, 10, 150) },
  });
  expect(throttled.duration_seconds).toBeGreaterThan(120);
  expect(throttled.duration_seconds).toBeLessThan(130);
  expect(on(throttled, telegram)?.limited_by).toBe('throttle');
});

it('a rehearsal requires the permission to write broadcasts, and a valid broadcast', async () => {
  const viewer = await addMember(stage, 'viewer');
  const body = { text: 'Hi', audience: { recipients: to(telegram, 10, 1) } };
  expect((await ask(body, viewer)).status).toBe(403);
  expect(fieldsOf(await ask({ audience: body.audience }))).toEqual([['text', 'required']]);
  const unknown = await ask({ text: 'Hi', recipient_ids: ['019b76da-a800-7000-8000-0000000000a1'] });
  expect([unknown.status, (unknown.body.details as Json).field]).toEqual([404, 'recipient_ids']);
});
