import { describe, expect, it } from 'vitest';
import { includes, visibleIn, without } from '../../../../src/core/events/snapshot.js';

describe('a snapshot', () => {
  it('contains ended transactions: all below its first running one, and later ones that were not running', () => {
    const sees = visibleIn('100:105:100,103');
    expect([99n, 100n, 101n, 102n, 103n, 104n, 105n, 2n ** 60n].map(sees)).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('contains all transactions below its end if none is running', () => {
    const sees = visibleIn('7:7:');
    expect([6n, 7n, 8n].map(sees)).toEqual([true, false, false]);
  });

  it('includes itself and every snapshot that was taken before, also while an old transaction is still running', () => {
    const taken = ['100:105:100,103', '100:106:100', '100:110:100,107', '112:112:'];
    const included = taken.map((later) => taken.map((earlier) => includes(later, earlier)));
    expect(included).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
      [true, true, true, true],
    ]);
  });

  it('can be reduced by one transaction', () => {
    expect(without('100:105:100,103', 102n)).toBe('100:105:100,102,103');
    expect(without('100:105:', 101n)).toBe('100:105:101');
    expect(without('100:105:', 99n)).toBe('99:105:99');
    for (const running of [100n, 103n, 105n])
      expect(without('100:105:100,103', running)).toBe('100:105:100,103');
  });

  it('that is invalid is refused', () => {
    expect(() => visibleIn('nonsense')).toThrow('Not a snapshot');
  });
});
