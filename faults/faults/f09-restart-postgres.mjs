import { underLoad } from '../load/standard.mjs';
import { QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** PostgreSQL is shut down and restarted, then killed and recovered from its WAL. */
export const f09 = {
  id: 'F9',
  title: 'PostgreSQL restarted, then killed and recovered',
  ownPostgres: true,
  lengths: {
    short: { chats: 10, messages: 160, perSecond: 60, awayMs: 500 },
    long: { chats: 250, messages: 12_000, perSecond: 200, awayMs: 5_000 },
  },
  async run(rig, { awayMs, ...load }, verdict) {
    await rig.open({
      platforms: {
        telegram: { settings: { ingress: 'webhook' } },
        slack: { options: { retriesMs: QUICK_RETRIES_MS } },
      },
    });
    const { sender } = await underLoad(rig, load, verdict, async ({ spanMs }) => {
      for (const end of ['stop', 'kill']) {
        await sleep(rig.random.integer(spanMs / 8, spanMs / 3));
        await rig.postgres[end]();
        await sleep(awayMs);
        await rig.postgres.start();
      }
    });
    verdict.happened('restarts of PostgreSQL', rig.postgres.starts - 1, 2);
    for (const name of ['telegram', 'slack']) {
      const answers = await rig.platforms[name].ask('hookAnswers');
      verdict.happened(`${name}: webhook responses with 503`, answers[503] ?? 0);
      const odd = Object.keys(answers).filter((each) => !/^(2..|503)$/.test(each));
      verdict.criterion(
        `${name}: webhook responses other than 2xx and 503`,
        odd.join(' ') || 'none',
        odd.length === 0,
      );
    }
    const { status } = await rig.api.once('GET', '/readyz');
    verdict.criterion(
      'ready again without a restart',
      status,
      status === 200 && rig.processes.service.starts === 1,
    );
    verdict.add('answers', sender.answers);
  },
};
