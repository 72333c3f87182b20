// A simulated platform. It runs operations for the rig and injects faults.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { bundledSimulators } from '../../dist/adapters/simulators.js';

import { Random } from '../rig/random.mjs';
import { Deliveries } from './deliveries.mjs';
import { PostTimes } from './post-times.mjs';

const [platform, options] = process.argv.slice(2);
const found = bundledSimulators.find((each) => each.platform === platform);
const { createCall } = found;
const simulator = await found.create(JSON.parse(options));
await simulator.start();
const postTimes = new PostTimes();
const deliveries = new Deliveries(postTimes);

/** Other calls that create messages. */
const OTHER_CREATES = ['POST /webhooks/:id/:token', 'files.completeUploadExternal'];

let trap;
let share;
/** Returns the delay of the next create, if creates are slow. */
let delayFault;
let inProgressUntil = 0;
const { faults } = simulator;
const configuredFault = faults.strike.bind(faults);
// Kills a process while the platform handles its request, before or after the platform acts.
faults.strike = (call, chatId) => {
  if (share !== undefined && call === createCall && share.isDue()) return share.fault;
  if (delayFault !== undefined && (call === createCall || OTHER_CREATES.includes(call))) return delayFault();
  if (trap === undefined || call !== createCall) return configuredFault(call, chatId);
  trap.skip -= 1;
  if (trap.skip >= 0) return configuredFault(call, chatId);
  const { pid, moment } = trap;
  trap = undefined;
  process.kill(pid, 'SIGKILL');
  process.send({ note: 'killed' });
  return { kind: moment === 'before' ? 'drop_before' : 'drop_after' };
};

/** Returns a function that is true once in `many` calls, at a random one, so that short runs get their share too. */
function oneOfEach(many, random) {
  let number = 0;
  let place = 0;
  return () => {
    if (number % many === 0) place = number + random.integer(0, many - 1);
    number += 1;
    return number - 1 === place;
  };
}

const crowd = [];

async function opened(url) {
  const socket = new WebSocket(url);
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

/** The direct chat with one of the platform's endless list of people. */
async function chatOf(index) {
  const address = simulator.address(index);
  const { credentials, settings } = simulator.account();
  if (platform === 'telegram' || platform === 'sms') return address;
  const [path, headers, body] =
    platform === 'discord'
      ? [
          '/v10/users/@me/channels',
          { authorization: `Bot ${credentials.bot_token}` },
          { recipient_id: address },
        ]
      : ['/conversations.open', { authorization: `Bearer ${credentials.bot_token}` }, { users: address }];
  const response = await fetch(`${settings.api_base_url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  const id = answer.id ?? answer.channel?.id;
  if (id === undefined) throw new Error(`Could not open a chat with ${address}: ${JSON.stringify(answer)}`);
  return id;
}

/** Polls with the same token as the service, without confirming updates. Each poll ends the pending one of the service. */
async function pollBeside(times) {
  for (let time = 0; time < times; time += 1) {
    await botApi('getUpdates');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function botApi(method) {
  const { credentials, settings } = simulator.account();
  const response = await fetch(`${settings.api_base_url}/bot${credentials.bot_token}/${method}`);
  return (await response.json()).result;
}

/** All texts of a chat, oldest first, and whether the bot wrote them. A chat that was never opened has none. */
function textsIn(chatId) {
  try {
    return simulator.messages(chatId).map(({ id, own, text }) => ({ id, own, text }));
  } catch {
    return [];
  }
}

const operations = {
  account: (kind) => simulator[kind ?? 'account'](),
  createCall: () => createCall,
  addresses: (from, count) => Array.from({ length: count }, (_, at) => simulator.address(from + at)),
  chats: async (from, count) => {
    const ids = [];
    for (let at = 0; at < count; at += 1) ids.push(await chatOf(from + at));
    return ids;
  },
  gatherings: () =>
    simulator
      .chats()
      .filter(({ kind }) => kind === 'group')
      .map(({ id }) => id),
  setWebhook: (url) => simulator.setWebhook?.(url),
  post: (message) => simulator.post(message),
  seen: (chatIds) => chatIds.map(textsIn),
  fault: (rule) => faults.set({ ...rule, times: rule.times ?? 1 }),
  faultWaiting: () => faults.waiting().length,
  clearFaults: () => faults.clear(),
  killAtWrite: (wanted) => {
    trap = wanted;
  },
  /** From now on, this share of the writes gets the fault, at random. */
  faultShare: ({ seed, share: part, fault }) => {
    share = { fault, isDue: oneOfEach(Math.round(1 / part), new Random(seed)) };
  },
  /** From now on, delays the effect of each create by a random time, even if its sender does not wait. */
  slowCreates: ({ seed, fromMs, toMs }) => {
    const random = new Random(seed);
    delayFault = () => {
      const ms = random.integer(fromMs, toMs);
      inProgressUntil = Math.max(inProgressUntil, performance.now() + ms);
      return { kind: 'delay', ms };
    };
  },
  /** 1 while a slow create has not taken effect yet. */
  inProgress: () => (performance.now() < inProgressUntil ? 1 : 0),
  /** When each post was first sent, and when it was first accepted. */
  postTimes: () => postTimes.all(),
  /** Number of responses of the service to webhooks, by status. */
  hookAnswers: () => deliveries.answers,
  repeatDeliveries: (wanted) => deliveries.repeat(wanted),
  repeatAll: (seed) => deliveries.repeatAll(seed),
  pollBeside,
  /** Telegram: number of updates that are not confirmed yet. */
  unconfirmed: async () => (await botApi('getWebhookInfo')).pending_update_count,
  disarm: () => {
    trap = undefined;
  },
  /** Every request to create a message, also those that failed. */
  writes: (other) =>
    simulator.ledger.entries(other ?? createCall).map(({ number, at, chatId, status, committed, fault }) => ({
      number,
      at,
      chatId,
      status,
      committed,
      fault,
    })),
  counts: () => simulator.ledger.counts(),
  /** Number of calls that got a response with this status. */
  answered: (call, status) =>
    simulator.ledger.entries(call).filter((entry) => entry.status === status).length,
  /** Opens this number of foreign sockets in place of the earlier ones. */
  crowd: async (count) => {
    for (const socket of crowd.splice(0)) socket.terminate();
    const base = simulator
      .account()
      .settings.api_base_url.replace(/^http/, 'ws')
      .replace(/\/api$/, '');
    for (let made = 0; made < count; made += 1)
      crowd.push(await opened(`${base}${simulator.sockets.ticket()}`));
  },
  /** Calls a method that affects the whole platform: `revokeToken`, `disconnect`, `freeze`, `closeGateway` … */
  disturb: (method, ...args) => simulator[method](...args),
  socket: (method, ...args) => simulator.sockets[method](...args),
  gateway: (method, ...args) => simulator.gateway[method](...args),
  connections: () => simulator.connections,
};

process.on('message', ({ id, operation, args }) => {
  Promise.resolve()
    .then(() => operations[operation](...args))
    .then(
      (answer) => process.send({ id, answer }),
      (error) => process.send({ id, error: error.message }),
    );
});
process.on('disconnect', () => void simulator.stop().then(() => process.exit(0)));
