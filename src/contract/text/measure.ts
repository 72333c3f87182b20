import type { TextUnit } from '../capabilities.js';

const gsm7Basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const gsm7Extension = '\f^{}\\[~]|€';
const septets = new Map<string, number>([
  ...[...gsm7Basic].map((character): [string, number] => [character, 1]),
  ...[...gsm7Extension].map((character): [string, number] => [character, 2]),
]);

/**
 * The length of a text in the unit of a platform. `gsm7` counts septets (3GPP TS 23.038; an extension character has two). A
 * text that GSM-7 cannot encode is counted in UTF-16 units.
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

/** The number of septets of a text in GSM-7. Undefined if GSM-7 cannot encode the text, which is then sent as UCS-2. */
export function gsm7Length(text: string): number | undefined {
  let total = 0;
  for (const character of text) {
    const length = septets.get(character);
    if (length === undefined) return undefined;
    total += length;
  }
  return total;
}
