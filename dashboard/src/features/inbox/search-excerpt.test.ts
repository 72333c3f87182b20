import { describe, expect, it } from 'vitest';
import { excerptOf } from './search-excerpt';

describe('The excerpt of a message that was found', () => {
  it('shows the match as it was written', () => {
    expect(excerptOf('Where is Order 4711?', 'order')).toEqual({
      before: 'Where is ',
      match: 'Order',
      after: ' 4711?',
    });
  });

  it('leaves out most of a long text around the match', () => {
    const { before, match, after } = excerptOf(`${'a'.repeat(9_000)}needle${'b'.repeat(9_000)}`, 'needle');
    expect(match).toBe('needle');
    expect(before).toBe(`…${'a'.repeat(40)}`);
    expect(after).toBe('b'.repeat(160));
  });

  it('shows the beginning where another spelling matched', () => {
    expect(excerptOf('abc', 'xyz')).toEqual({ before: 'abc', match: '', after: '' });
  });
});
