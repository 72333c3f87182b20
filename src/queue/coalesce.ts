import type { OutboxJob } from '../core/common/outbox.js';

/** Maximum number of event positions in one job. */
const MAX_LIST_LENGTH = 500;

/**
 * Reduces the number of reminders. Positions of events are gathered into lists, and equal reminders that are due at once become
 * one. The result depends only on the rows, so a repeated batch has the same ids.
 */
export function coalesce(jobs: readonly OutboxJob[]): OutboxJob[] {
  const others = new Map<string, OutboxJob>();
  const lists: { first: OutboxJob; positions: string[] }[] = [];
  for (const job of jobs) {
    if (job.topic === 'event' && job.payload.events !== undefined) {
      let list = lists.at(-1);
      if (list === undefined || list.positions.length >= MAX_LIST_LENGTH) {
        list = { first: job, positions: [] };
        lists.push(list);
      }
      list.positions.push(...job.payload.events.split(','));
    } else {
      const key = job.runAt === null ? `${job.topic} ${JSON.stringify(job.payload)}` : job.id;
      if (!others.has(key)) others.set(key, job);
    }
  }
  const events = lists.map(({ first, positions }) => ({
    ...first,
    payload: { events: positions.join(',') },
  }));
  return [...others.values(), ...events];
}
