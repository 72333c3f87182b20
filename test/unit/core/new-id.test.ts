import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../../src/contract/clock.js';
import { newId } from '../../../src/core/common/new-id.js';

afterEach(() => void vi.restoreAllMocks());

const madeAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

describe('ids', () => {
  it('contain the time of the database, whatever the machine’s clock shows', () => {
    const at = clock.now() + 1_000;
    vi.spyOn(clock, 'now').mockReturnValue(at);
    vi.spyOn(Date, 'now').mockReturnValue(at + 3_600_000);
    expect(madeAt(newId())).toBe(at);
  });

  it('increase within a millisecond, and while the clock is set back a little', () => {
    const at = clock.now() + 5_000;
    const now = vi.spyOn(clock, 'now').mockReturnValue(at);
    const ids = [newId(), newId()];
    now.mockReturnValue(at - 3);
    ids.push(newId(), newId());
    expect(new Set(ids).size).toBe(4);
    expect(ids.toSorted()).toEqual(ids);
  });
});
