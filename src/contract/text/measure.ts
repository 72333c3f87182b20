import type { TextUnit } from '../capabilities.js';

const gsm7Basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const gsm7Extension = '\f^{}\\[~]|€';
const septets = new Map<string, number>([
  ...[...gsm7Basic].map((character): [string, number] => [character, 1]),
  ...[...gsm7Extension].map((character): [string, number] => [character, 2]),
]);

/**
 * Length of text in a platform's unit. `gsm7` counts septets (3GPP TS 23.038: extension characters take two) and falls
 * back to UTF-16 units for text that GSM-7 can't hold.
 */
export function textLength(text: string, unit: TextUnit): number {
  switch (unit) {
    case 'utf16':
      return text.length;
    case 'codepoint':
      return codePoints(text);
    case 'byte':
      return Buffer.byteLength(text);
    case 'gsm7':
      return gsm7Length(text) ?? text.length;
  }
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Septets that a text takes in GSM-7; undefined when it holds a character that GSM-7 lacks and is sent as UCS-2. */
export function gsm7Length(text: string): number | undefined {
  let total = 0;
  for (const character of text) {
    const length = septets.get(character);
    if (length === undefined) return undefined;
    total += length;
  }
  return total;
}
