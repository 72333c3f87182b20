import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutboxJob } from '../../../src/core/common/outbox.js';
import { coalesce } from '../../../src/queue/coalesce.js';

let id = 0;
function job(
  topic: OutboxJob['topic'],
  payload: Record<string, string>,
  runAt: Date | null = null,
): OutboxJob {
  id += 1;
  return { id: String(id), topic, payload, runAt, priority: 0 };
}

describe('jobs of one batch', () => {
  it('are merged if they are equal and due at once, under the id of the first', () => {
    const jobs = [1, 2, 3].map(() => job('deliver', { connection_id: 'a' }));
    expect(
      coalesce([...jobs, job('deliver', { connection_id: 'b' })]).map((one) => one.payload.connection_id),
    ).toEqual(['a', 'b']);
    expect(coalesce(jobs)[0]?.id).toBe(jobs[0]?.id);
  });

  it('are not merged if they are delayed or differ in topic or payload', () => {
    const later = new Date(5);
    const jobs = [
      job('deliver', { connection_id: 'a' }),
      job('deliver', { connection_id: 'a' }, later),
      job('deliver', { connection_id: 'a' }, later),
      job('webhook', { connection_id: 'a' }),
    ];
    expect(coalesce(jobs)).toHaveLength(4);
  });

  it('keep the positions of all events in order, each once, in lists of limited length', () => {
    const lists = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(lists, (sizes) => {
        let position = 0;
        const jobs = sizes.map((size) =>
          job('event', { events: Array.from({ length: size }, () => String(++position)).join(',') }),
        );
        const gathered = coalesce(jobs).map(({ payload }) => (payload.events ?? '').split(','));
        expect(gathered.flat()).toEqual(Array.from({ length: position }, (_, index) => String(index + 1)));
        for (const list of gathered) expect(list.length).toBeLessThan(540);
      }),
    );
  });

  it('are merged in the same way each time', () => {
    const jobs = [
      job('event', { events: '1,2' }),
      job('deliver', { connection_id: 'a' }),
      job('event', { events: '3' }),
    ];
    expect(coalesce(jobs)).toEqual(coalesce(jobs));
    expect(coalesce([])).toEqual([]);
  });
});
