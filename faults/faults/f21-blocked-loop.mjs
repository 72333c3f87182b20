import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgePosts } from '../ledger/inbound.mjs';
import { judgeSends } from '../ledger/outbound.mjs';
import { People } from '../load/people.mjs';
import { Sender } from '../load/sender.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Between two pauses of a reader. */
const AWAKE_MS = 8_000;

/**
 * A worker is stopped while it holds deliveries, until its leases have ended and another worker of the same machine has taken them
 * over; then it continues. The other worker sends everything whose write had not begun. A write that had begun stays uncertain where
 * the platform can't tell whether it is still in progress. Leases end by time here as well. Then the process that reads is stopped
 * until its leases have ended, several times, with no other process to read.
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
      // Workers of one machine share the folder with the journals of their writes.
      folders: { two: 'one' },
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
    // Telegram can't be asked what it got, so those of its writes that had begun would wait for a person.
    const asked = chats.filter(({ platform }) => platform.platform !== 'telegram');
    const load = sender.run(asked, { count: messages, perSecond });
    await stopped;
    const held = await heldBy(rig, 'one');
    await rig.processes.two.start();
    await sleep(blockedMs);
    const waiting = held.filter(({ isBegun }) => !isBegun).map(({ id }) => id);
    const decided = await until(async () => (await undecided(rig, waiting)) === 0, 240_000);
    verdict.bar('another worker has sent what had not begun', decided ? 'yes' : 'no', decided === true);
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
    const begun = held.length - waiting.length;
    const { uncertain } = sends.figures;
    verdict.bar('uncertain, at most those begun', `${uncertain} of ${begun}`, uncertain <= begun);
    verdict.bar('writes', `${writes} for ${messages} messages`, writes === messages - uncertain);
    verdict.add('held when it was stopped', held.length);
    verdict.add('begun when it was stopped', begun);
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

/** The deliveries that a stopped worker has leased, and whether its journal says that their write had begun. */
async function heldBy(rig, name) {
  const folder = join(rig.folderOf(name), 'writes');
  const journals = (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8'));
  const marks = (await Promise.all(journals)).flatMap((text) => text.split('\n'));
  const attempts = new Set(marks.map((mark) => mark.split('.')[0]));
  const rows = await rig.query(
    `SELECT d.id, array_agg(a.id::text) FILTER (WHERE a.id IS NOT NULL) AS attempts
     FROM deliveries d LEFT JOIN attempts a ON a.delivery_id = d.id AND a.finished_at IS NULL
     WHERE d.status = 'sending' GROUP BY d.id`,
  );
  return rows.map((row) => ({ id: row.id, isBegun: (row.attempts ?? []).some((id) => attempts.has(id)) }));
}

async function undecided(rig, ids) {
  const [{ n }] = await rig.query(
    `SELECT count(*)::int AS n FROM deliveries WHERE id = ANY ($1) AND status IN ('queued', 'sending', 'uncertain')`,
    [ids],
  );
  return n;
}
