import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgePosts } from '../ledger/inbound.mjs';
import { judgeSends } from '../ledger/outbound.mjs';
import { People } from '../load/people.mjs';
import { Sender } from '../load/sender.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Time between two pauses of the reader. */
const AWAKE_MS = 8_000;

/**
 * A worker that holds deliveries is paused until its leases expire and another worker on the same machine has taken over. Then
 * it resumes. The other worker sends every delivery whose write had not begun. A write that had begun stays uncertain if the
 * platform cannot tell whether it is in progress. Short runs wait for leases here too. Then the only reader is paused several
 * times until its leases expire.
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
      // Workers on one machine share the folder with their write journals.
      folders: { two: 'one' },
    });
    const chats = await rig.conversations(each);
    const sender = new Sender(rig);
    const { one } = rig.processes;
    const stopped = new Promise((resolve) => {
      const onHit = () => {
        process.kill(one.pid, 'SIGSTOP');
        resolve();
      };
      // The tasks are claimed. The worker has not read the result.
      rig.gates.one.trap({ statement: 'claim_deliveries', moment: 'done', passes: true, skip: 1, onHit });
    });
    // Telegram has no lookup, so its writes that had begun would need a manual decision.
    const withLookup = chats.filter(({ platform }) => platform.platform !== 'telegram');
    const load = sender.run(withLookup, { count: messages, perSecond });
    await stopped;
    const held = await heldBy(rig, 'one');
    await rig.processes.two.start();
    await sleep(blockedMs);
    const waiting = held.filter(({ isBegun }) => !isBegun).map(({ id }) => id);
    const decided = await until(async () => (await undecided(rig, waiting)) === 0, 240_000);
    verdict.criterion('deliveries not begun were sent', decided ? 'yes' : 'no', decided === true);
    process.kill(one.pid, 'SIGCONT');
    await load;
    const seconds = await rig.quiet(240_000);
    const sends = await judgeSends(rig, sender.sends);
    verdict.nothingWrong('sends', sends);
    verdict.accepted(sender.sends, messages);
    verdict.happened('deliveries held by the paused worker', held.length);
    verdict.criterion('marked duplicates', sends.figures.marked, sends.figures.marked === 0);
    verdict.criterion('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    let writes = 0;
    for (const platform of Object.values(rig.platforms)) {
      writes += (await platform.ask('writes')).filter(({ committed }) => committed).length;
    }
    const begun = held.length - waiting.length;
    const { uncertain } = sends.figures;
    verdict.criterion('uncertain ≤ begun', `${uncertain} of ${begun}`, uncertain <= begun);
    verdict.criterion('writes', `${writes} for ${messages} messages`, writes === messages - uncertain);
    verdict.add('held at the pause', held.length);
    verdict.add('begun at the pause', begun);
    await blockReader(rig, chats, { pauses, pausedMs }, verdict);
  },
};

async function blockReader(rig, chats, { pauses, pausedMs }, verdict) {
  const people = new People();
  const perSecond = 40;
  const count = Math.round((pauses * (pausedMs + AWAKE_MS) * perSecond) / 1_000);
  const posting = people.run(chats, { count, perSecond });
  let expired = 0;
  for (let pause = 0; pause < pauses; pause += 1) {
    const { pid } = rig.processes.gateway;
    process.kill(pid, 'SIGSTOP');
    await sleep(pausedMs);
    const [{ n }] = await rig.query('SELECT count(*)::int AS n FROM connections WHERE leased_until < now()');
    if (n > 0) expired += 1;
    process.kill(pid, 'SIGCONT');
    await sleep(AWAKE_MS);
  }
  await posting;
  const stored = await rig.stored('inbound', count, 120_000);
  verdict.criterion('posts stored', `${stored} of ${count}`, stored === count);
  verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
  verdict.happened('pauses longer than the leases of the reader', expired, pauses);
}

/** Resolves with the deliveries leased by a paused worker, and whether its journal shows that their write had begun. */
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
