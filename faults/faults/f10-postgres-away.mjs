import { judgePosts } from '../ledger/inbound.mjs';
import { People } from '../load/people.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** PostgreSQL is down for a long time while people keep writing. */
export const f10 = {
  id: 'F10',
  title: 'PostgreSQL is down; platforms redeliver events that were not accepted',
  ownPostgres: true,
  lengths: {
    // Twilio tries each event twice. Its list is read every five minutes, so only a long run can wait for it.
    short: { chats: 10, events: 200, perSecond: 40, awayMs: 8_000, sms: false },
    long: { chats: 20, events: 3_000, perSecond: 5, awayMs: 600_000, sms: true },
  },
  async run(rig, { chats: each, events, perSecond, awayMs, sms }, verdict) {
    const retriesMs = rig.length === 'short' ? QUICK_RETRIES_MS : LONG_RETRIES_MS;
    await rig.open({
      platforms: {
        telegram: { settings: { ingress: 'webhook' } },
        slack: { options: { retriesMs } },
        discord: {},
        ...(sms ? { sms: {} } : {}),
      },
    });
    const chats = await rig.conversations(each);
    const people = new People();
    const load = people.run(chats, { count: events, perSecond });
    await sleep(1_000);
    const goneAt = Date.now();
    await rig.postgres.stop();
    const before = people.posts.length;
    await sleep(awayMs);
    const postsWhileDown = people.posts.length - before;
    await rig.postgres.start();
    const backAt = Date.now();
    await load;
    const stored = await rig.stored('inbound', events, sms ? 900_000 : 240_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.criterion('stored', `${stored} of ${events}`, stored === events);
    verdict.criterion(
      'starts of the service process',
      rig.processes.service.starts,
      rig.processes.service.starts === 1,
    );
    verdict.happened('restarts of PostgreSQL', rig.postgres.starts - 1);
    verdict.happened('posts while PostgreSQL was down', postsWhileDown);
    await judgeRepair(rig, people, { sms, from: goneAt, to: backAt }, verdict);
  },
};

/** Counts the posts of the outage by platform, and those that only Twilio's list had because no webhook was accepted. */
async function judgeRepair(rig, people, { sms, from, to }, verdict) {
  const repaired = {};
  for (const platform of Object.values(rig.platforms)) {
    const away = people.posts.filter(({ chat, at }) => chat.platform === platform && at > from && at < to);
    const taken = new Set(
      (await platform.ask('postTimes')).flatMap((each) => (each.to === null ? [] : each.token)),
    );
    const redelivered = away.filter(({ token }) => taken.has(token)).length;
    repaired[platform.name] = away.length;
    if (platform.name !== 'sms') continue;
    repaired['in the list of sms alone'] = away.length - redelivered;
  }
  verdict.add('repaired', repaired);
  if (sms) verdict.happened('posts found only in the list of Twilio', repaired['in the list of sms alone']);
}
