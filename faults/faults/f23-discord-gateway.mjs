import { judgePosts } from '../ledger/inbound.mjs';
import { People } from '../load/people.mjs';
import { sleep, until } from '../rig/waiting.mjs';

const MAX_IDENTIFIES = 5;

/** Everything that befalls a session of Discord's gateway. */
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
    let returns = 0;
    for (const befall of rig.random.shuffle(Object.values(TROUBLES))) {
      await befall(discord, heartbeatMs);
      const came = await until(async () => (await sessions(discord)) > before, 240_000);
      if (came === true) returns += 1;
      before = await sessions(discord);
    }
    verdict.struck('lines that were lost and taken up again', returns, Object.keys(TROUBLES).length);
    const earlier = people.posts.length;
    await judgeRestarts(rig, restarts, verdict);
    verdict.struck('posts while it crashed', people.posts.length - earlier, restarts);
    await load;
    const stored = await rig.stored('inbound', events, 240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.bar('stored', `${stored} of ${events}`, stored === events);
    await judgeRefusal(rig, 4014, () => discord.ask('befall', 'closeGateway', 4014), verdict);
    await comeBack(rig);
    await judgeRefusal(rig, 4004, () => discord.ask('befall', 'revokeToken'), verdict);
  },
};

const TROUBLES = {
  forgotten: async (discord) => {
    await discord.ask('befall', 'forgetSessions');
    await discord.ask('befall', 'disconnect');
  },
  zombie: async (discord, heartbeatMs) => {
    await discord.ask('befall', 'freeze', true);
    // The client finds out by itself that nothing answers.
    const before = await sessions(discord);
    await sleep(3 * heartbeatMs);
    await until(async () => (await sessions(discord)) > before, 240_000);
    await discord.ask('befall', 'freeze', false);
  },
  cut: (discord) => discord.ask('befall', 'disconnect'),
  closed: (discord) => discord.ask('befall', 'closeGateway', 4000),
};

/** Who comes back after a crash resumes: a bot has a thousand logins a day. */
async function judgeRestarts(rig, restarts, verdict) {
  const { gateway } = rig.processes;
  const { discord } = rig.platforms;
  const before = await identifies(discord);
  for (let restart = 0; restart < restarts; restart += 1) {
    const { starts } = gateway;
    gateway.strike();
    await rig.lapse('gateway');
    await gateway.ready(starts);
    await until(async () => (await discord.ask('connections')) > 0, 240_000);
  }
  const used = (await identifies(discord)) - before;
  verdict.add('crashes', restarts);
  verdict.bar('logins after crashes', used, used <= Math.min(MAX_IDENTIFIES, restarts));
}

/** Asking again makes nothing better: the token is wrong, or the bot may not have what it wants. */
async function judgeRefusal(rig, code, refuse, verdict) {
  const { discord } = rig.platforms;
  await refuse();
  const read = () => rig.api.call('GET', `/v1/openapi/platforms/connections/${discord.connectionId}`);
  const refused = await until(async () => (await read()).status === 'error', 240_000);
  verdict.struck(`close ${code}`, refused === true ? 1 : 0);
  const before = await sessions(discord);
  await sleep(7_000);
  const { status } = await read();
  verdict.bar(`the connection after ${code}`, status, status === 'error');
  const again = (await sessions(discord)) - before;
  verdict.bar(`logins and resumptions after ${code}`, again, again === 0);
}

/** Somebody has given the bot what it wants, and says so. */
async function comeBack(rig) {
  const path = `/v1/openapi/platforms/connections/${rig.platforms.discord.connectionId}`;
  await rig.api.call('POST', `${path}/reconnect`);
  await until(async () => (await rig.api.call('GET', path)).status === 'connected', 240_000);
}

/** Logins and resumptions. */
async function sessions(discord) {
  const counts = await discord.ask('counts');
  return (counts['gateway.identify'] ?? 0) + (counts['gateway.resume'] ?? 0);
}

async function identifies(discord) {
  return (await discord.ask('counts'))['gateway.identify'] ?? 0;
}
