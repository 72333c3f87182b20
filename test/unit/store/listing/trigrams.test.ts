import { describe, expect, it } from 'vitest';
import { readFilters } from '../../../../src/core/listing/filter.js';
import { messageList } from '../../../../src/core/messages/record.js';
import { Trigrams, wantedTrigrams } from '../../../../src/store/listing/trigrams.js';

const searched = { list: 'messages', fields: ['text'] } as const;
const grams = (workspace = 'w') => new Trigrams(workspace, 'messages');
const wanted = (filter: string) =>
  wantedTrigrams('w', searched, readFilters([filter], messageList), (value) => value.toLowerCase());
const isWithin = (some: readonly number[] | null, all: readonly number[] | null) =>
  (some ?? []).every((hash) => all?.includes(hash));

describe('hashes of a text', () => {
  const text = 'der ärger mit 🚚 und σίσυφος';

  it('include the hashes of every part of it', () => {
    const all = grams().part('text', text).hashes;
    for (let from = 0; from < text.length; from += 1) {
      for (let to = from + 3; to <= text.length; to += 1) {
        const part = grams().part('text', text.slice(from, to)).hashes;
        expect(part?.length).toBeGreaterThan(0);
        expect(isWithin(part, all)).toBe(true);
      }
    }
  });

  it('differ by workspace, list and field', () => {
    const here = grams().part('text', text).hashes ?? [];
    for (const other of [
      grams('v').part('text', text),
      new Trigrams('w', 'users').part('text', text),
      grams().part('metadata.text', text),
    ])
      expect(other.hashes?.filter((hash) => here.includes(hash))).toEqual([]);
  });

  it('are not stored when there are too many', () => {
    const all = grams();
    for (let n = 0; all.hashes !== null && n < 100; n += 1) {
      const from = n * 1_000;
      all.part('text', Array.from({ length: 1_000 }, (_, at) => String.fromCharCode(from + at)).join(''));
    }
    expect(all.hashes).toBeNull();
  });
});

describe('the trigrams of a filter', () => {
  const record = grams().record({ field: 'text', value: 'Zanzibar', lower: 'zanzibar' });
  record.record({ field: 'metadata.tier', value: 'Gold', lower: 'gold' });

  it.each([
    'text:~ZANZI',
    'text:Zanzibar',
    'metadata.tier:Gold',
    'metadata.tier:~OLD',
    '-metadata.tier:null',
  ])('are contained in a record that matches: %s', (filter) => {
    expect(wanted(filter)).toHaveLength(1);
    expect(isWithin(wanted(filter)?.[0] ?? null, record.hashes)).toBe(true);
  });

  it.each([
    'text:~zanzibars',
    'text:zanzibar',
    'metadata.tier:gold',
    'metadata.tier:~silver',
    '-metadata.size:null',
  ])('are not contained in a record that does not match: %s', (filter) =>
    expect(isWithin(wanted(filter)?.[0] ?? null, record.hashes)).toBe(false),
  );

  it.each(['status:sent', '-text:~zanzibar', 'text:""', 'metadata.tier:null', 'metadata.tier:Gold|null'])(
    'are undefined for %s',
    (filter) => expect(wanted(filter)).toBeUndefined(),
  );

  it('are listed per value of a clause, together with those of all other clauses', () => {
    const lists = wanted('text:~zanzi|silver,metadata.tier:Gold,status:sent') ?? [];
    const gold = wanted('metadata.tier:Gold')?.[0] ?? [];
    expect(lists).toHaveLength(2);
    expect(lists.every((list) => isWithin(gold, list))).toBe(true);
    expect(lists.map((list) => isWithin(list, record.hashes))).toEqual([true, false]);
  });
});
