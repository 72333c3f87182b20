import { judgePosts } from '../ledger/inbound.mjs';
import { judgeSends } from '../ledger/outbound.mjs';
import { People } from '../load/people.mjs';
import { Sender } from '../load/sender.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Between two pauses of a reader. */
const AWAKE_MS = 8_000;

/**
 * A worker stands still with tasks in its hands until they are somebody else's, and then goes on. Its leases end by time
 * here as well: what it had begun to write it gives up before they do. Then the process that reads stands still until its leases have ended,
 * several times, and nobody else is there to read.
 */
export const f21 = {
  id: 'F21',
  title: 'A worker, then a reader, blocked for longer than its leases, then running again',
  lengths: {
    short: { chats: 20, messages: 120, perSecond: 60, blockedMs: 30_000, pauses: 2, pausedMs: 16_000 },
    long: { chats: 50, messages: 500, perSecond: 60, blockedMs: 45_000, pauses: 5, pausedMs: 45_000 },
  },
  async run(rig, { chats: each, messages, perSecond, blockedMs, pauses, pausedMs }, verdict) {
    await rig.open({
      processes: { api: 'api', gateway: 'gateway', one: 'worker', two: 'worker' },
      platforms: { slack: {}, discord: {}, sms: {}, telegram: {} },
      later: ['two'],
    });
    const chats = await rig.conversations(each);
    const sender = new Sender(rig);
    const { one } = rig.processes;
    const stopped = new Promise((resolve) => {
      const strike = () => {
        process.kill(one.pid, 'SIGSTOP');
        resolve();
      };
      // It has the tasks and is about to read them.
      rig.gates.one.trap({ statement: 'claim_deliveries', moment: 'done', passes: true, skip: 1, strike });
    });
    // What Telegram may have got waits for a person, who isn't there.
    const asked = chats.filter(({ platform }) => platform.platform !== 'telegram');
    const load = sender.run(asked, { count: messages, perSecond });
    await stopped;
    const holds = await rig.query(`SELECT id FROM deliveries WHERE status = 'sending'`);
    const held = holds.map(({ id }) => id);
    await rig.processes.two.start();
    await sleep(blockedMs);
    const decided = await until(async () => (await undecided(rig, held)) === 0, 240_000);
    verdict.bar('somebody else has sent what it held', decided ? 'yes' : 'no', decided === true);
    process.kill(one.pid, 'SIGCONT');
    await load;
    const seconds = await rig.quiet(240_000);
    const sends = await judgeSends(rig, sender.sends);
    verdict.nothingWrong('sends', sends);
    verdict.accepted(sender.sends, messages);
    verdict.struck('deliveries it held', held.length);
    verdict.bar('twice, even if marked', sends.figures.marked, sends.figures.marked === 0);
    verdict.bar('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    let writes = 0;
    for (const platform of Object.values(rig.platforms)) {
      writes += (await platform.ask('writes')).filter(({ committed }) => committed).length;
    }
    verdict.bar('writes', `${writes} for ${messages} messages`, writes === messages);
    verdict.add('under way when it stood still', held.length);
    await blockReader(rig, chats, { pauses, pausedMs }, verdict);
  },
};

async function blockReader(rig, chats, { pauses, pausedMs }, verdict) {
  const people = new People();
  const perSecond = 40;
  const count = Math.round((pauses * (pausedMs + AWAKE_MS) * perSecond) / 1_000);
  const posting = people.run(chats, { count, perSecond });
  for (let pause = 0; pause < pauses; pause += 1) {
    const { pid } = rig.processes.gateway;
    process.kill(pid, 'SIGSTOP');
    await sleep(pausedMs);
    process.kill(pid, 'SIGCONT');
    await sleep(AWAKE_MS);
  }
  await posting;
  const stored = await rig.stored('inbound', count, 120_000);
  verdict.bar('posts that were read', `${stored} of ${count}`, stored === count);
  verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
  verdict.struck('pauses of the reader', pauses);
}

async function undecided(rig, ids) {
  const [{ n }] = await rig.query(
    `SELECT count(*)::int AS n FROM deliveries WHERE id = ANY ($1) AND status IN ('queued', 'sending', 'uncertain')`,
    [ids],
  );
  return n;
}
