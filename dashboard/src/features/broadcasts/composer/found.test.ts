import { describe, expect, it } from 'vitest';
import { findByName } from './found';

const row = (name: string) => ({ id: name, name });

describe('A search by name', () => {
  const asked: string[][] = [];
  const read = async (filter: string[]) => {
    asked.push(filter);
    const data = filter[0] === 'name:"会员"' ? [row('会员')] : [row('Offers'), row('Office'), row('Gold')];
    return { data, pagination: { nextCursor: 'more' } };
  };

  it('asks the service for a text of three characters and more, whatever characters it has', async () => {
    asked.length = 0;
    await findByName(read, 'a "b" \\');
    expect(asked).toEqual([['name:~"a \\"b\\" \\\\"']]);
  });

  it('finds a shorter text as a whole name, and in the first names', async () => {
    expect((await findByName(read, '会员')).rows).toEqual([row('会员')]);
    const first = async (filter: string[]) => ({
      data: filter.length > 0 ? [] : [row('Offers'), row('Gold')],
    });
    expect(await findByName(first, 'of')).toEqual({
      rows: [row('Offers')],
      hasMore: false,
    });
  });

  it('says whether there are more', async () => {
    expect((await findByName(read, '')).hasMore).toBe(true);
  });
});
