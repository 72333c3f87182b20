import { expect, it } from 'vitest';
import { BacklogAlarm } from '../../src/backlog-alarm.js';
import { recordingLog } from '../support/log.js';

it('tells of work that waits too long once, again when its age has doubled, and when it is over', async () => {
  const log = recordingLog();
  let oldest = 0;
  const alarm = new BacklogAlarm(
    async () => ({ queueSeconds: oldest, webhookSeconds: 0, deliverySeconds: 0 }),
    log,
  );
  for (const seconds of [0, 60, 61, 65, 121, 122, 200, 5, 4, 70]) {
    oldest = seconds;
    await alarm.look();
  }
  expect(
    log.lines.map(({ level, event, fields }) => [level, event, fields.work, fields.oldest_seconds]),
  ).toEqual([
    ['error', 'backlog.grown', 'queue', 61],
    ['error', 'backlog.grown', 'queue', 122],
    ['info', 'backlog.cleared', 'queue', undefined],
    ['error', 'backlog.grown', 'queue', 70],
  ]);
});
