import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Longer than a connection lease plus the interval at which other replicas check it. */
const STILL_MS = 16_000;
/** Number of foreign polls with the same token, one per second. Conflicts between replicas are shorter. */
const FOREIGN = 45;
/** A poller retries three seconds after a conflict. */
const MAX_CONFLICTS = 25;

/** One of two replicas polls with a token. The other one takes over when the first one dies. */
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
    // The leader is paused until the other replica takes over, then resumes. For a moment both poll.
    const leader = await blockLeader(rig);
    for (let kills = 0; kills < 2; kills += 1) {
      await sleep(rig.random.integer(500, 1_500));
      const name = kills === 0 ? 'one' : 'two';
      rig.processes[name].kill();
      await rig.lapse(name);
    }
    await load;
    const stored = await rig.stored('inbound', events, rig.length === 'short' ? 240_000 : 600_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.criterion('stored', `${stored} of ${events}`, stored === events);
    verdict.happened('leaders paused and resumed', leader === undefined ? 0 : 1);
    verdict.happened('kills', rig.processes.one.kills + rig.processes.two.kills, 2);
    const path = `/v1/openapi/platforms/connections/${telegram.connectionId}`;
    const { status } = await rig.api.call('GET', path);
    verdict.criterion('connection status after the failover', status, status === 'connected');
    await judgeForeignPolls(rig, { chat: chats[0], people, path }, verdict);
    const conflicts = await telegram.ask('answered', 'getUpdates', 409);
    verdict.happened('polls with a conflict', conflicts);
    // Pollers wait after a conflict.
    verdict.criterion('conflicts in total', conflicts, conflicts <= MAX_CONFLICTS);
  },
};

/** A foreign process polls with the same token. The API reports it. Afterwards no event is missing. */
async function judgeForeignPolls(rig, { chat, people, path }, verdict) {
  const { telegram } = rig.platforms;
  const read = () => rig.api.call('GET', path);
  const polled = telegram.ask('pollBeside', FOREIGN);
  const reported = await until(async () => (await read()).health.code === 'misconfigured', 60_000, 100);
  await polled;
  verdict.happened('reports of a foreign poller', reported === true ? 1 : 0);
  await people.post(chat);
  await rig.api.call('POST', `${path}/reconnect`);
  const connected = await until(async () => (await read()).status === 'connected', 60_000, 200);
  verdict.criterion(
    'connected after the foreign polls',
    connected === true ? 'yes' : 'no',
    connected === true,
  );
  const posts = people.posts.length;
  const stored = await rig.stored('inbound', posts, 60_000);
  verdict.criterion('stored after the foreign polls', `${stored} of ${posts}`, stored === posts);
}

/** SIGSTOP of the process that polls until the other one polls, then SIGCONT. Resolves with its name. */
async function blockLeader(rig) {
  const owner = async () => {
    const [row] = await rig.query(
      'SELECT lease_owner::text AS owner FROM connections WHERE leased_until > now()',
    );
    return row?.owner;
  };
  const first = await owner();
  // A paused process does not renew its lease. If the lease moves, that process was the leader.
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
