import { describe, expect, it } from 'vitest';
import type { Broadcast } from '../queries';
import { MAX_VARIANTS, shares, variantBodies, variantsOf, withVariant } from './variants';

describe('The variants of a broadcast', () => {
  it('begin with two, and end with ten of different keys', () => {
    expect(withVariant([]).map(({ key }) => key)).toEqual(['A', 'B']);
    const all = Array.from({ length: 20 }).reduce<ReturnType<typeof withVariant>>(withVariant, []);
    expect(new Set(all.map(({ key }) => key)).size).toBe(MAX_VARIANTS);
    const [, ...rest] = withVariant(withVariant([]));
    expect(withVariant(rest).map(({ key }) => key)).toEqual(['B', 'C', 'A']);
  });

  it('are shared by weight', () => {
    const weighed = (...weights: string[]) => weights.map((weight) => ({ key: 'A', weight, text: '' }));
    expect(shares(weighed('50', '50'))).toEqual([50, 50]);
    expect(shares(weighed('1', '3'))).toEqual([25, 75]);
    expect(shares(weighed('', 'x', '-1'))).toEqual([0, 0, 0]);
  });

  it('send the text of the broadcast where they have none', () => {
    expect(variantBodies([{ key: 'A', weight: '5', text: ' ' }])).toEqual([
      { key: 'A', weight: 5, text: null },
    ]);
  });

  it('are left as they are where they have files', () => {
    const stored = (variants: unknown) => ({ variants }) as Broadcast;
    expect(variantsOf(stored([{ key: 'A', weight: 1, text: 'x', attachments: [] }]))).toBeUndefined();
    expect(variantsOf(stored([{ key: 'A', weight: 1, text: null, attachments: null }]))).toEqual([
      { key: 'A', weight: '1', text: '' },
    ]);
  });
});
