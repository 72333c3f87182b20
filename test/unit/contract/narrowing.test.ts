import { describe, expect, it } from 'vitest';
import { type Capabilities, formats, ops } from '../../../src/contract/index.js';
import { widerCell } from '../../../src/contract/validation/narrowing.js';

const image = {
  mime: { 'image/png': 'native', '*/*': 'emulated' },
  max_bytes: 1_000,
  caption_max: 100,
  per_message: 10,
} as const;
const declared: Capabilities = {
  text: { max: 4_000, unit: 'utf16', formats: formats('native', { spoiler: 'dropped' }) },
  ops: ops('native', { membership: 'unknown', calls: 'rejected' }),
  media: { image, file: { ...image, max_bytes: null } },
  edit: { max_age_s: 900, max_count: null, media: true },
  delete: { max_age_s: null, others: false },
  react: { per_user: 3, allowed: ['👍', '🎉'] },
};

describe('the capabilities of a connection', () => {
  it.each<[string, Partial<Capabilities>]>([
    ['nothing', {}],
    ['shorter texts', { text: { ...declared.text, max: 100 } }],
    ['fewer formats', { text: { ...declared.text, formats: formats('dropped') } }],
    ['fewer operations', { ops: ops('rejected'), edit: null, delete: null, react: null }],
    ['what the definition could not know', { ops: { ...declared.ops, membership: 'native' } }],
    ['smaller files', { media: { image: { ...image, max_bytes: 10 }, file: { ...image, max_bytes: 10 } } }],
    ['no files', { media: {} }],
    ['fewer kinds of file', { media: { image: { ...image, mime: { 'image/png': 'native' } } } }],
    ['a shorter time for edits', { edit: { max_age_s: 1, max_count: 2, media: false } }],
    ['one reaction', { react: { per_user: 1, allowed: ['👍'] } }],
  ])('may narrow the definition by %s', (_what, more) => {
    expect(widerCell({ ...declared, ...more }, declared)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['text.max', { text: { ...declared.text, max: 4_001 } }],
    ['text.max', { text: { ...declared.text, max: null } }],
    ['text.max', { text: { ...declared.text, max: '9' } }],
    ['text.max', { text: { ...declared.text, max: Number.NaN } }],
    ['text.unit', { text: { ...declared.text, unit: 'byte' } }],
    ['text.formats.spoiler', { text: { ...declared.text, formats: formats('native') } }],
    ['text.formats.bold', { text: { ...declared.text, formats: {} } }],
    ['ops.calls', { ops: { ...declared.ops, calls: 'dropped' } }],
    ['ops.edit', { ops: { ...declared.ops, edit: 'yes' } }],
    ['media.video', { media: { video: image } }],
    ['media.image.max_bytes', { media: { image: { ...image, max_bytes: 1_001 } } }],
    ['media.image.mime.*/*', { media: { image: { ...image, mime: { '*/*': 'native' } } } }],
    ['media.image.mime.image/gif', { media: { image: { ...image, mime: { 'image/gif': 'native' } } } }],
    ['edit.max_age_s', { edit: { max_age_s: null, max_count: null, media: true } }],
    ['delete.others', { delete: { max_age_s: null, others: true } }],
    ['react.allowed', { react: { per_user: 3, allowed: ['👍', '👀'] } }],
    ['react.allowed', { react: { per_user: 3, allowed: null } }],
    ['text, ops or media', { text: null }],
  ])('are refused with the name of the cell that is invalid or wider: %s', (cell, more) => {
    expect(widerCell({ ...declared, ...more } as Capabilities, declared)).toBe(cell);
  });

  it('may not contain what the definition lacks', () => {
    expect(widerCell(declared, { ...declared, edit: null })).toBe('edit');
  });
});
