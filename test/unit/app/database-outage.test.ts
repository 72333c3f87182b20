import { describe, expect, it } from 'vitest';
import { DatabaseOutage } from '../../../src/app/database-outage.js';
import { waitUntil } from '../../../src/cli/wait-until.js';
import { recordingLog } from '../../support/log.js';

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function stage() {
  const target = recordingLog();
  const outage = new DatabaseOutage(target);
  const database = { isUp: true };
  outage.start(async () => {
    if (!database.isUp) throw away();
  });
  const events = (level: string) =>
    target.lines.filter((line) => line.level === level).map(({ event }) => event);
  return { target, outage, database, events };
}

describe('an outage of the database', () => {
  it('is logged once when it begins and once when it ends, however many operations fail', async () => {
    const { target, outage, database, events } = stage();
    database.isUp = false;
    outage.log.warn({ err: away() }, 'sweep.failed');
    await waitUntil(async () => outage.isDown);
    for (let n = 0; n < 200; n += 1) outage.log.warn({ err: away(), n }, 'sweep.failed');
    outage.log.error({ err: new Error('wrapped', { cause: away() }) }, 'job.failed');
    outage.log.error({ err: new Error('a defect') }, 'request.failed');
    expect(events('error')).toEqual(['database.unavailable', 'request.failed']);
    expect(events('warn')).toEqual(['sweep.failed']);
    database.isUp = true;
    await waitUntil(async () => !outage.isDown);
    expect(target.lines.at(-1)).toMatchObject({
      level: 'warn',
      event: 'database.available',
      fields: { suppressed_lines: 201, duration_ms: expect.any(Number) },
    });
    outage.log.warn({ err: away() }, 'sweep.failed');
    expect(events('warn').at(-1)).toBe('sweep.failed');
    outage.stop();
  });

  it('is not assumed because another server refused a connection', async () => {
    const { outage, events } = stage();
    for (let n = 0; n < 3; n += 1) outage.log.warn({ err: away() }, 'webhook.failed');
    await new Promise((resolve) => setImmediate(resolve));
    expect(outage.isDown).toBe(false);
    expect(events('warn')).toHaveLength(3);
    outage.stop();
  });
});
