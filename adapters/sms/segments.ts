import { gsm7Length, textLength } from '../../src/contract/index.js';

/** The encoding of a text on the air. It decides the price and how long the sender is busy. */
export interface Segmentation {
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly segments: number;
}

/** A single message holds 140 octets. In a longer text a header takes six octets of each segment. */
const capacity = {
  'GSM-7': { single: 160, part: 153 },
  'UCS-2': { single: 70, part: 67 },
} as const;

/**
 * Counts segments. Neither an escape pair of GSM-7 nor a surrogate pair is split (3GPP TS 23.040, section 9.2.3.24.1).
 */
export function segmentation(text: string): Segmentation {
  const septets = gsm7Length(text);
  const encoding = septets === undefined ? 'UCS-2' : 'GSM-7';
  const { single, part } = capacity[encoding];
  if ((septets ?? text.length) <= single) return { encoding, segments: 1 };
  let segments = 1;
  let used = 0;
  for (const character of text) {
    const size = encoding === 'UCS-2' ? character.length : textLength(character, 'gsm7');
    if (used + size > part) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return { encoding, segments };
}
