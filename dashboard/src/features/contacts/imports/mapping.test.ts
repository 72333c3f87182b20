import { describe, expect, it } from 'vitest';
import { firstMapping, isComplete, metadataField, suggestColumns, withColumn } from './mapping';

describe('the mapping of an import', () => {
  it('suggests fields by the names of columns, each once, in several languages', () => {
    expect(
      suggestColumns(['Full name', 'E-Mail', 'E-mail address', 'Teléfono', '语言', 'Shoe size']),
    ).toEqual(['display_name', 'email', null, 'phone', 'locale', null]);
  });

  it('finds existing contacts by the first field that can, until the field has no column', () => {
    const first = firstMapping(['Name', 'Phone', 'Mail']);
    expect(first).toMatchObject({ match_by: 'phone', existing: 'update' });
    expect(withColumn(first, 1, null).match_by).toBe('email');
    const never = { ...first, match_by: null };
    expect(withColumn(never, 0, 'username').match_by).toBeNull();
  });

  it('gives a field to one column at a time', () => {
    const mapping = withColumn(firstMapping(['Name', 'Other']), 1, 'display_name');
    expect(mapping.columns).toEqual([null, 'display_name']);
  });

  it('needs a field that names a contact', () => {
    expect(isComplete(firstMapping(['Language', 'Shoe size']))).toBe(false);
    expect(isComplete({ columns: ['address.sms'], match_by: null, existing: 'update' })).toBe(true);
  });

  it('keeps a column as metadata where its name can be a key', () => {
    expect(metadataField('Shoe size')).toBe('metadata.Shoe size');
    expect([metadataField(''), metadataField('x'.repeat(41))]).toEqual([undefined, undefined]);
  });
});
