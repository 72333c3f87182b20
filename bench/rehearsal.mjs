import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './support/child.mjs';
import { startService, withDataDir } from './support/service.mjs';

const MAX_WRONG = 0.05;
const POLL_MS = 500;
const SHORT = 'Our shop is closed next Monday. Orders until Sunday evening are sent on Tuesday.';
const LONG = `${SHORT} `.repeat(120).slice(0, 9_600);
/** Three segments. */
const SEGMENTS = `${SHORT} `.repeat(5).slice(0, 400);

/** The documented limits of one account. Slack has none per workspace; one message a second is its limit per channel. */
const PLATFORMS = {
  telegram: { call: 'sendMessage', perSecond: 30 },
  discord: { call: 'POST /channels/:id/messages', perSecond: 50 },
  slack: { call: 'chat.postMessage', perSecond: 1 },
  sms: { call: 'messages.create', perSecond: 1 },
};

/** Broadcasts of many kinds. `to`: recipients per account. `known`: accounts whose chats are linked beforehand. */
const SHAPES = {
  telegram: { what: '1,500 on Telegram, 30 a second', text: SHORT, to: { telegram: 1_500 } },
  discord: {
    what: '1,000 on Discord, 50 requests a second, each chat opened first',
    text: SHORT,
    to: { discord: 1_000 },
  },
  parts: { what: '400 on Telegram in three parts each', text: LONG, to: { telegram: 400 } },
  'discord-parts': {
    what: '250 on Discord in five parts each, each chat opened first',
    text: LONG,
    to: { discord: 250 },
  },
  segments: { what: '25 on SMS of three segments each, one a second', text: SEGMENTS, to: { sms: 25 } },
  platforms: {
    what: '1,000 on Telegram, 1,000 on Discord, 40 on Slack and 60 on SMS together',
    text: SHORT,
    to: { telegram: 1_000, discord: 1_000, slack: 40, sms: 60 },
    isSplit: true,
  },
  throttle: {
    what: '700 on Telegram with a throttle of 300 a minute',
    text: SHORT,
    to: { telegram: 700 },
    throttle: { per_minute: 300 },
  },
  connections: {
    what: '1,500 on two connections of Telegram, 600 chats known on the second',
    text: SHORT,
    to: { telegram: 900, second: 600 },
    known: ['second'],
  },
};

/** What a rehearsal predicts, against the same broadcast to simulators that enforce the documented limits. */
export async function rehearsal({ only } = {}) {
  const names = only === undefined ? Object.keys(SHAPES) : only.split(',');
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir);
    const accounts = {};
    try {
      for (const name of Object.keys(PLATFORMS)) accounts[name] = await connect(service, name);
      accounts.second = await connect(service, 'telegram');
      const session = await signIn(service);
      let place = 1_000;
      const lines = [];
      for (const name of names) {
        const shape = SHAPES[name];
        lines.push(...(await measured(service, session, accounts, shape, place)));
        place += 5_000;
      }
      return lines;
    } finally {
      await service.stop();
      for (const { simulator } of Object.values(accounts)) await simulator.stop();
    }
  });
}

async function connect(service, platform) {
  const { call, perSecond } = PLATFORMS[platform];
  const simulator = await startChild('simulator', platform, call, '1');
  const { credentials, settings } = simulator.info.account;
  const { id } = await service.call('POST', `/openapi/platforms/${platform}/connections`, {
    name: platform,
    credentials,
    settings: { ...settings, rate_per_second: perSecond },
  });
  for (;;) {
    const { status } = await service.call('GET', `/openapi/platforms/connections/${id}`);
    if (status === 'connected') return { platform, id, simulator };
    await sleep(POLL_MS);
  }
}

/** The headers of a session of the dashboard. */
async function signIn({ url }) {
  const response = await fetch(`${url}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com', password: 'only for benchmarks' }),
  });
  const { csrf_token: token } = await response.json();
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  return { cookie: cookie.join('; '), 'x-csrf-token': token, 'content-type': 'application/json' };
}

async function measured(service, session, accounts, shape, from) {
  const recipients = await audienceOf(service, accounts, shape, from);
  const { what, text, throttle, isSplit = false } = shape;
  const body = { text, audience: { recipients }, ...(throttle && { throttle }) };
  const predicted = await predict(service, session, body);
  const real = await send(service, accounts, body, predicted.parts);
  const lines = [line(`Broadcast to ${what}`, predicted.duration_seconds, real.seconds)];
  if (!isSplit) return lines;
  for (const { platform, duration_seconds: seconds } of predicted.connections)
    lines.push(line(`– its part on ${platform}`, seconds, real.byPlatform[platform]));
  return lines;
}

/** The recipients of all accounts, evenly mixed. */
async function audienceOf(service, accounts, { to, known = [] }, from) {
  const lists = [];
  for (const [index, [name, count]] of Object.entries(to).entries()) {
    const { platform, id, simulator } = accounts[name];
    const addresses = await simulator.ask({ question: 'addresses', from: from + index * 2_000, count });
    if (known.includes(name)) {
      for (const address of addresses) {
        const links = [{ connection_id: id, external_id: address }];
        await service.call('POST', '/openapi/conversations', { links });
      }
    }
    lists.push(addresses.map((address, n) => ({ platform, address, order: n / count })));
  }
  const all = lists.flat().sort((one, other) => one.order - other.order);
  return all.map(({ platform, address }) => ({ platform, address }));
}

async function predict({ url }, headers, body) {
  const response = await fetch(`${url}/dashboard/api/broadcasts/rehearsal`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const lines = (await response.text()).trim().split('\n');
  if (!response.ok) throw new Error(`The rehearsal answered ${response.status}: ${lines[0]}`);
  return JSON.parse(lines.at(-1)).rehearsal;
}

/** Seconds from the request to the last message at the platform, in total and per platform. */
async function send(service, accounts, body, parts) {
  for (const { simulator } of Object.values(accounts)) await simulator.ask({ question: 'forget' });
  const requestedAt = Date.now();
  const { id } = await service.call('POST', '/openapi/broadcasts', body);
  let record;
  do {
    await sleep(POLL_MS);
    record = await service.call('GET', `/openapi/broadcasts/${id}`);
  } while (!['completed', 'failed', 'expired'].includes(record.status));
  const byPlatform = {};
  let sent = 0;
  for (const { platform, simulator } of Object.values(accounts)) {
    const { count, lastAt } = await simulator.ask({ question: 'sends' });
    sent += count;
    if (count === 0) continue;
    byPlatform[platform] = Math.max(byPlatform[platform] ?? 0, (lastAt - requestedAt) / 1_000);
  }
  if (sent !== parts) throw new Error(`${parts} messages expected, ${sent} sent.`);
  return { seconds: Math.max(...Object.values(byPlatform)), byPlatform };
}

function line(what, predicted, real) {
  const wrong = Math.abs(predicted - real) / real;
  return {
    what,
    ours: `rehearsed: ${predicted.toFixed(1)} s`,
    limit: `sent in ${real.toFixed(1)} s`,
    figure: `${(100 * wrong).toFixed(1)} % apart`,
    required: `≤ ${100 * MAX_WRONG} %`,
    met: wrong <= MAX_WRONG,
  };
}
