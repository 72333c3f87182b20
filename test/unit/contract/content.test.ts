import { describe, expect, it } from 'vitest';
import { captionFits, cardOf, placeOf } from '../../../src/contract/index.js';
import { scriptedCapabilities } from '../../support/scripted-platform.js';

describe('an attachment', () => {
  it('is a place if it has both coordinates, even if they are zero', () => {
    expect(placeOf({ type: 'location', latitude: 0, longitude: 0 })).toEqual({ latitude: 0, longitude: 0 });
    expect(placeOf({ type: 'location', latitude: 1 })).toBeUndefined();
  });

  it.each([
    [{ name: 'Bo', phone: '+431' }, undefined, { name: 'Bo', phone: '+431' }],
    [{ phone: ' +431 ' }, undefined, { name: '+431', phone: '+431' }],
    [{ phone: 7 }, 'Bo', { name: 'Bo' }],
    [{}, ' ', undefined],
  ])('is a contact card if it has a name or a number (%j)', (metadata, name, card) => {
    expect(cardOf({ type: 'contact', metadata, ...(name === undefined ? {} : { name }) })).toEqual(card);
  });

  it('is a contact card only if its type is contact', () => {
    expect(cardOf({ type: 'file', name: 'Bo' })).toBeUndefined();
  });
});

describe('a caption', () => {
  const media = { mime: { '*/*': 'native' as const }, max_bytes: null, per_message: null };
  const capabilities = {
    ...scriptedCapabilities,
    media: { image: { ...media, caption_max: 4 }, video: { ...media, caption_max: null } },
  };

  it.each([
    ['four', 'image', true],
    ['fives', 'image', false],
    ['😀😀', 'image', true],
    ['😀😀!', 'image', false],
    ['x'.repeat(9000), 'video', true],
    ['', 'audio', false],
  ] as const)('of %j fits a file of type %s: %j', (text, type, fits) => {
    expect(captionFits(text, type, capabilities)).toBe(fits);
  });
});
