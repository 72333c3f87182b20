import { judgePosts } from '../ledger/inbound.mjs';
import { People } from '../load/people.mjs';
import { sleep, until } from '../rig/waiting.mjs';

const MAX_IDENTIFIES = 5;

/** Every failure of a Discord gateway session. */
export const f23 = {
  id: 'F23',
  title: 'Discord: lost and zombie sessions, crashes, close 4004 and 4014',
  lengths: {
    short: { events: 400, perSecond: 10, restarts: 3, heartbeatMs: 1_000 },
    long: { events: 4_000, perSecond: 10, restarts: 50, heartbeatMs: 5_000 },
  },
  async run(rig, { events, perSecond, restarts, heartbeatMs }, verdict) {
    await rig.open({
      processes: { api: 'api,worker', gateway: 'gateway' },
      platforms: { discord: { options: { heartbeatMs } } },
    });
    const { discord } = rig.platforms;
    const chats = await rig.conversations(5);
    const people = new People();
    const load = people.run(chats, { count: events, perSecond });
    await sleep(500);
    let before = await sessions(discord);
    let recoveries = 0;
    for (const disturb of rig.random.shuffle(Object.values(FAILURES))) {
      await disturb(discord, heartbeatMs);
      const isBack = await until(async () => (await sessions(discord)) > before, 240_000);
      if (isBack === true) recoveries += 1;
      before = await sessions(discord);
    }
    verdict.happened('connections lost and restored', recoveries, Object.keys(FAILURES).length);
    const earlier = people.posts.length;
    await judgeRestarts(rig, restarts, verdict);
    verdict.happened('posts during the crashes', people.posts.length - earlier, restarts);
    await load;
    const stored = await rig.stored('inbound', events, 240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.criterion('stored', `${stored} of ${events}`, stored === events);
    await judgeRefusal(rig, 4014, () => discord.ask('disturb', 'closeGateway', 4014), verdict);
    await reconnect(rig);
    await judgeRefusal(rig, 4004, () => discord.ask('disturb', 'revokeToken'), verdict);
  },
};

const FAILURES = {
  forgotten: async (discord) => {
    await discord.ask('disturb', 'forgetSessions');
    await discord.ask('disturb', 'disconnect');
  },
  zombie: async (discord, heartbeatMs) => {
    await discord.ask('disturb', 'freeze', true);
    // The client must detect the missing heartbeat responses.
    const before = await sessions(discord);
    await sleep(3 * heartbeatMs);
    await until(async () => (await sessions(discord)) > before, 240_000);
    await discord.ask('disturb', 'freeze', false);
  },
  cut: (discord) => discord.ask('disturb', 'disconnect'),
  closed: (discord) => discord.ask('disturb', 'closeGateway', 4000),
};

/** After a crash the process resumes its session, because a bot has only 1,000 logins a day. */
async function judgeRestarts(rig, restarts, verdict) {
  const { gateway } = rig.processes;
  const { discord } = rig.platforms;
  const before = await identifies(discord);
  for (let restart = 0; restart < restarts; restart += 1) {
    const { starts } = gateway;
    gateway.kill();
    await rig.lapse('gateway');
    await gateway.ready(starts);
    await until(async () => (await discord.ask('connections')) > 0, 240_000);
  }
  const used = (await identifies(discord)) - before;
  verdict.add('crashes', restarts);
  verdict.criterion('logins after crashes', used, used <= Math.min(MAX_IDENTIFIES, restarts));
}

/** The process must not retry: the token is invalid, or the bot lacks an intent. */
async function judgeRefusal(rig, code, refuse, verdict) {
  const { discord } = rig.platforms;
  await refuse();
  const read = () => rig.api.call('GET', `/v1/openapi/platforms/connections/${discord.connectionId}`);
  const refused = await until(async () => (await read()).status === 'error', 240_000);
  verdict.happened(`close ${code}`, refused === true ? 1 : 0);
  const before = await sessions(discord);
  await sleep(7_000);
  const { status } = await read();
  verdict.criterion(`connection status after close ${code}`, status, status === 'error');
  const again = (await sessions(discord)) - before;
  verdict.criterion(`logins and resumes after close ${code}`, again, again === 0);
}

/** Reconnects, as an operator does after enabling the intent. */
async function reconnect(rig) {
  const path = `/v1/openapi/platforms/connections/${rig.platforms.discord.connectionId}`;
  await rig.api.call('POST', `${path}/reconnect`);
  await until(async () => (await rig.api.call('GET', path)).status === 'connected', 240_000);
}

/** Number of logins and resumes. */
async function sessions(discord) {
  const counts = await discord.ask('counts');
  return (counts['gateway.identify'] ?? 0) + (counts['gateway.resume'] ?? 0);
}

async function identifies(discord) {
  return (await discord.ask('counts'))['gateway.identify'] ?? 0;
}
