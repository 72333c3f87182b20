import { judgePosts } from '../ledger/inbound.mjs';
import { People } from '../load/people.mjs';
import { sleep, until } from '../rig/waiting.mjs';

const MOST_IDENTIFIES = 5;

/** Everything that befalls a session of Discord's gateway. */
export const f23 = {
  id: 'F23',
  title: 'Discord: lost and zombie sessions, crashes, close 4004',
  lengths: {
    short: { events: 200, perSecond: 20, restarts: 3, heartbeatMs: 1_000 },
    long: { events: 2_000, perSecond: 20, restarts: 50, heartbeatMs: 5_000 },
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
    await load;
    const stored = await rig.stored('inbound', events, 240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.bar('stored', `${stored} of ${events}`, stored === events);
    await judgeRestarts(rig, restarts, verdict);
    await judgeRefusal(rig, verdict);
  },
};

const TROUBLES = {
  forgotten: async (discord) => {
    await discord.ask('befall', 'forgetSessions');
    await discord.ask('befall', 'disconnect');
  },
  zombie: async (discord, heartbeatMs) => {
    await discord.ask('befall', 'freeze', true);
    await sleep(3 * heartbeatMs);
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
  verdict.bar('logins after crashes', used, used <= Math.min(MOST_IDENTIFIES, restarts));
}

/** 4004: the token is wrong, and asking again makes nothing better. */
async function judgeRefusal(rig, verdict) {
  const { discord } = rig.platforms;
  await discord.ask('befall', 'revokeToken');
  const read = () => rig.api.call('GET', `/v1/openapi/platforms/connections/${discord.connectionId}`);
  await until(async () => (await read()).status === 'error', 240_000);
  const before = await identifies(discord);
  await sleep(7_000);
  const { status } = await read();
  verdict.bar('the connection after 4004', status, status === 'error');
  const again = (await identifies(discord)) - before;
  verdict.bar('logins after 4004', again, again === 0);
}

/** Logins and resumptions. */
async function sessions(discord) {
  const counts = await discord.ask('counts');
  return (counts['gateway.identify'] ?? 0) + (counts['gateway.resume'] ?? 0);
}

async function identifies(discord) {
  return (await discord.ask('counts'))['gateway.identify'] ?? 0;
}
