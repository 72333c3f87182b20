import { expect, it, vi } from 'vitest';
import { BacklogAlarm, watchBacklog } from '../../../../src/app/background/backlog-alarm.js';
import { recordingLog } from '../../../support/log.js';

it('the backlog alarm logs old work once, again when its age has doubled, and when it is cleared', async () => {
  const log = recordingLog();
  const reported: [string, number][] = [];
  let oldest = 0;
  const alarm = new BacklogAlarm(
    async () => ({ queueSeconds: oldest, webhookSeconds: 0, deliverySeconds: 0 }),
    log,
    async (work, seconds) => void reported.push([work, seconds]),
  );
  for (const seconds of [0, 60, 61, 65, 121, 122, 200, 5, 4, 70]) {
    oldest = seconds;
    await alarm.check();
  }
  expect(
    log.lines.map(({ level, event, fields }) => [level, event, fields.work, fields.oldest_seconds]),
  ).toEqual([
    ['error', 'backlog.grown', 'queue', 61],
    ['error', 'backlog.grown', 'queue', 122],
    ['info', 'backlog.cleared', 'queue', undefined],
    ['error', 'backlog.grown', 'queue', 70],
  ]);
  expect(reported).toEqual([
    ['queue', 61],
    ['queue', 122],
    ['queue', 70],
  ]);
});

it('the backlog is checked periodically, also after a check that failed', async () => {
  vi.useFakeTimers();
  const log = recordingLog();
  const ages = [new Error('away'), 61];
  const read = async () => {
    const age = ages.shift();
    if (age instanceof Error) throw age;
    return { queueSeconds: age ?? 0, webhookSeconds: 0, deliverySeconds: 0 };
  };
  const watch = watchBacklog(read, log, async () => undefined);
  watch.start();
  await vi.advanceTimersByTimeAsync(45_000);
  await watch.stop();
  vi.useRealTimers();
  expect(log.lines.map(({ event }) => event)).toEqual(['sweep.failed', 'backlog.grown', 'backlog.cleared']);
});

it('the backlog alarm repeats a failed report at the next check', async () => {
  const log = recordingLog();
  const answers = [new Error('away'), undefined];
  let reports = 0;
  const alarm = new BacklogAlarm(
    async () => ({ queueSeconds: 61, webhookSeconds: 0, deliverySeconds: 0 }),
    log,
    async () => {
      reports += 1;
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
    },
  );
  await expect(alarm.check()).rejects.toThrow('away');
  await alarm.check();
  await alarm.check();
  expect(reports).toBe(2);
});
