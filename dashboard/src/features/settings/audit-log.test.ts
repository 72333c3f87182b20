import { describe, expect, it } from 'vitest';
import { ACTIONS, clausesOf, EVERYTHING, SYSTEM } from './audit-log';

describe('the filter of the audit log', () => {
  it('asks for nothing without values', () => {
    expect(clausesOf(EVERYTHING)).toEqual([]);
  });

  it('asks for the system by its type, and for others by their id', () => {
    expect(clausesOf({ ...EVERYTHING, actor: SYSTEM })).toEqual(['actor_type:system']);
    expect(clausesOf({ ...EVERYTHING, actor: 'a1' })).toEqual(['actor_id:a1']);
  });

  it('covers whole days of the time zone here, both included', () => {
    const clauses = clausesOf({
      ...EVERYTHING,
      action: ACTIONS[0],
      since: '2026-03-01',
      until: '2026-03-01',
    });
    expect(clauses).toEqual([
      'action:session.opened',
      `created_at:>=${new Date(2026, 2, 1).toISOString()}`,
      `created_at:<${new Date(2026, 2, 2).toISOString()}`,
    ]);
  });
});
