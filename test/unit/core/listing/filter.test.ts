import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/core/common/errors.js';
import { readFilters } from '../../../../src/core/listing/filter.js';
import { recordList } from '../../../../src/core/listing/list-spec.js';

const spec = recordList({
  filter: {
    status: { type: 'enum' },
    assignee_id: { type: 'uuid', nullable: true },
    text: { type: 'string' },
    title: { type: 'string', nullable: true },
    label: { type: 'array' },
    participant_id: { type: 'array', of: 'uuid' },
    duration: { type: 'int', nullable: true },
    score: { type: 'number' },
    done: { type: 'bool' },
  },
  metadata: true,
});
const read = (...texts: string[]) => readFilters(texts, spec);
const eq = (value: string) => ({ operator: 'eq', value });
const clause = (field: string, ...values: object[]) => ({ field, negated: false, values });

describe('a filter', () => {
  it.each<[string, object[]]>([
    ['status:active', [clause('status', eq('active'))]],
    [
      'status:open|pending,-assignee_id:null',
      [
        clause('status', eq('open'), eq('pending')),
        { field: 'assignee_id', negated: true, values: [{ operator: 'null' }] },
      ],
    ],
    [
      'created_at:>=2026-01-01T00:00:00Z,created_at:<2026-02-01T00:00:00Z',
      [
        clause('created_at', { operator: 'gte', value: '2026-01-01T00:00:00.000Z' }),
        clause('created_at', { operator: 'lt', value: '2026-02-01T00:00:00.000Z' }),
      ],
    ],
    ['-status:failed', [{ field: 'status', negated: true, values: [eq('failed')] }]],
    ['text:~"hello, world"', [clause('text', { operator: 'contains', value: 'hello, world' })]],
    ['metadata.order:42', [clause('metadata.order', eq('42'))]],
    ['metadata.a.b-c_D:null', [clause('metadata.a.b-c_D', { operator: 'null' })]],
    ['text:"a\\"b\\\\c|d"', [clause('text', eq('a"b\\c|d'))]],
    ['title:"null"|null', [clause('title', eq('null'), { operator: 'null' })]],
    ['text:~null', [clause('text', { operator: 'contains', value: 'null' })]],
    ['text:""', [clause('text', eq(''))]],
    ['text:a:b', [clause('text', eq('a:b'))]],
    ['text: spaced ', [clause('text', eq(' spaced '))]],
    ['id:019B76DA-A800-7000-8000-0000000000A1', [clause('id', eq('019b76da-a800-7000-8000-0000000000a1'))]],
    [
      'duration:<=5|>10',
      [clause('duration', { operator: 'lte', value: '5' }, { operator: 'gt', value: '10' })],
    ],
    ['score:1.50', [clause('score', eq('1.5'))]],
    ['done:true', [clause('done', eq('true'))]],
    ['label:vip', [clause('label', eq('vip'))]],
    ['created_at:2026-01-01T01:00:00+01:00', [clause('created_at', eq('2026-01-01T00:00:00.000Z'))]],
  ])('reads %s', (text, clauses) => {
    expect(read(text)).toEqual(clauses);
  });

  it('is joined with further ones by AND', () => {
    expect(read('status:a', 'text:b')).toEqual([clause('status', eq('a')), clause('text', eq('b'))]);
  });

  it.each([
    'status',
    'status:',
    'nope:1',
    'text:~ab',
    'status:>open',
    ':x',
    'status:open,',
    ',status:open',
    'status:open|',
    'status:|open',
    '--status:open',
    'status:~open',
    'status:null',
    'label:null',
    'label:>a',
    'label:~abc',
    'text:>abc',
    'text:"a"b',
    'text:a"b"',
    'text:"open',
    'text:"bad \\n escape"',
    'text:~"',
    'id:1',
    'participant_id:1',
    'done:1',
    'duration:1.5',
    'duration:01',
    'duration:x',
    'score:NaN',
    'score:1e999',
    'created_at:yesterday',
    'created_at:2026-02-30T00:00:00Z',
    'created_at:1969-12-31T23:59:59Z',
    'created_at:2026-01-01',
    'created_at:>null',
    'metadata:1',
    'metadata.:1',
    'metadata.a b:1',
    `metadata.${'k'.repeat(41)}:1`,
    '__proto__:1',
    'constructor:1',
    Array.from({ length: 11 }, () => 'status:a').join(','),
    `text:${'x'.repeat(1_020)}`,
  ])('refuses %s', (text) => {
    const attempt = () => read(text);
    expect(attempt).toThrow(AppError);
    expect(attempt).toThrow(
      expect.objectContaining({ details: { fields: [expect.objectContaining({ field: 'filter' })] } }),
    );
  });

  it('may have ten clauses and 1,024 characters', () => {
    expect(read(Array.from({ length: 10 }, () => 'status:a').join(','))).toHaveLength(10);
    expect(read(`text:${'😀'.repeat(1_019)}`)).toHaveLength(1);
  });
});
