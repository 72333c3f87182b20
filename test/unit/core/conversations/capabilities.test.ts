import { describe, expect, it } from 'vitest';
import { type Capabilities, formats, ops } from '../../../../src/contract/index.js';
import { combined } from '../../../../src/core/conversations/capabilities.js';

const base: Capabilities = {
  text: { max: 4096, unit: 'utf16', formats: formats('native') },
  ops: ops('native'),
  media: { image: { mime: { 'image/*': 'native' }, max_bytes: null, caption_max: 1024, per_message: 10 } },
  edit: { max_age_s: null, max_count: null, media: true },
  delete: { max_age_s: 172_800, others: true },
  react: { per_user: null, allowed: ['👍', '🎉'] },
};
const other: Capabilities = {
  text: { max: 2000, unit: 'codepoint', formats: formats('native', { underline: 'dropped' }) },
  ops: ops('native', { edit: 'emulated', thread: 'rejected' }),
  media: {
    image: {
      mime: { '*/*': 'emulated', 'image/gif': 'rejected' },
      max_bytes: 5,
      caption_max: null,
      per_message: 1,
    },
    audio: { mime: { '*/*': 'native' }, max_bytes: null, caption_max: null, per_message: null },
  },
  edit: { max_age_s: 900, max_count: 5, media: false },
  delete: null,
  react: { per_user: 1, allowed: ['🎉', '❤️'] },
};

describe('capabilities of several links together', () => {
  it('of no links are complete, and of one link its own', () => {
    expect(combined([])).toMatchObject({ text: { max: 10_000 }, edit: { max_age_s: null } });
    expect(combined([base])).toEqual(base);
  });

  it('are the weakest levels and the smallest limits, in any order', () => {
    const both = combined([base, other]);
    expect(both).toEqual({
      text: { max: 2000, unit: 'codepoint', formats: formats('native', { underline: 'dropped' }) },
      ops: ops('native', { edit: 'emulated', thread: 'rejected' }),
      media: {
        image: {
          mime: { 'image/*': 'emulated', '*/*': 'rejected', 'image/gif': 'rejected' },
          max_bytes: 5,
          caption_max: 1024,
          per_message: 1,
        },
      },
      edit: { max_age_s: 900, max_count: 5, media: false },
      delete: null,
      react: { per_user: 1, allowed: ['🎉'] },
    });
    expect(combined([other, base])).toEqual(both);
  });

  it('measure text of equal length by the unit that holds less', () => {
    const bytes = { ...base, text: { ...base.text, unit: 'byte' as const } };
    expect(combined([base, bytes]).text).toMatchObject({ max: 4096, unit: 'byte' });
    const endless = { ...base, text: { ...base.text, max: null } };
    expect(combined([endless, other]).text).toMatchObject({ max: 2000, unit: 'codepoint' });
  });
});
