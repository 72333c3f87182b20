import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Longer than the lease of a connection, and the look of the others. */
const STILL_MS = 16_000;
/** Polls of somebody else with the same token, one a second: for longer than a quarrel between replicas may take. */
const FOREIGN = 45;
/** Whoever gives way asks again after three seconds. */
const MAX_CONFLICTS = 25;

/** Two replicas could poll with one token; one does, and when it dies the other takes its place. */
export const f22 = {
  id: 'F22',
  title: 'Two replicas and a foreign process poll for one bot; leaders are stopped and killed',
  lengths: {
    short: { chats: 20, events: 400, perSecond: 10 },
    long: { chats: 100, events: 10_000, perSecond: 100 },
  },
  async run(rig, { chats: each, events, perSecond }, verdict) {
    await rig.open({
      processes: { api: 'api,worker', one: 'gateway', two: 'gateway' },
      platforms: { telegram: { settings: { ingress: 'poll' } } },
    });
    const { telegram } = rig.platforms;
    const chats = await rig.conversations(each);
    const people = new People();
    const load = people.run(chats, { count: events, perSecond });
    // The leader stands still until the other one has its place, and then goes on: for a moment there are two.
    const leader = await blockLeader(rig);
    for (let kills = 0; kills < 2; kills += 1) {
      await sleep(rig.random.integer(500, 1_500));
      const name = kills === 0 ? 'one' : 'two';
      rig.processes[name].strike();
      await rig.lapse(name);
    }
    await load;
    const stored = await rig.stored('inbound', events, rig.length === 'short' ? 240_000 : 600_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.bar('stored', `${stored} of ${events}`, stored === events);
    verdict.struck('leaders that stood still and came back', leader === undefined ? 0 : 1);
    verdict.struck('kills', rig.processes.one.kills + rig.processes.two.kills, 2);
    const met = () => telegram.ask('answered', 'getUpdates', 409);
    const path = `/v1/openapi/platforms/connections/${telegram.connectionId}`;
    const { status } = await rig.api.call('GET', path);
    verdict.bar('the connection after its leader changed', status, status === 'connected');
    await judgeStranger(rig, { chat: chats[0], people, path }, verdict);
    const conflicts = await met();
    verdict.struck('polls that met another one', conflicts);
    // Who gives way asks again after a while; nobody asks as fast as he can.
    verdict.bar('conflicts in all', conflicts, conflicts <= MAX_CONFLICTS);
  },
};

/** Somebody else polls with the same token: that is told with a way out, and once he has gone nothing is missing. */
async function judgeStranger(rig, { chat, people, path }, verdict) {
  const { telegram } = rig.platforms;
  const read = () => rig.api.call('GET', path);
  const polled = telegram.ask('pollBeside', FOREIGN);
  const tells = await until(async () => (await read()).health.code === 'misconfigured', 60_000, 100);
  await polled;
  verdict.struck('a stranger is told of', tells === true ? 1 : 0);
  await people.post(chat);
  await rig.api.call('POST', `${path}/reconnect`);
  const well = await until(async () => (await read()).status === 'connected', 60_000, 200);
  verdict.bar('connected again once he has gone', well === true ? 'yes' : 'no', well === true);
  const due = people.posts.length;
  const stored = await rig.stored('inbound', due, 60_000);
  verdict.bar('stored once he has gone', `${stored} of ${due}`, stored === due);
}

/** SIGSTOP of the one that polls, until another one does, and then SIGCONT. Resolves with its name. */
async function blockLeader(rig) {
  const owner = async () => {
    const [row] = await rig.query(
      'SELECT lease_owner::text AS owner FROM connections WHERE leased_until > now()',
    );
    return row?.owner;
  };
  const first = await owner();
  // Whose lease it is shows when he stands still: it is not renewed.
  for (const name of ['one', 'two']) {
    const { pid } = rig.processes[name];
    process.kill(pid, 'SIGSTOP');
    const other = async () => ![undefined, first].includes(await owner());
    const moved = await until(other, STILL_MS, 100);
    process.kill(pid, 'SIGCONT');
    if (moved === true) return name;
  }
  return undefined;
}
