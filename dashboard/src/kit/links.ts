import { safeAddress } from './markdown/address';

interface FoundLink {
  readonly href: string;
  readonly text: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/gi;
/** Ends of a sentence, which are not part of an address at its end. */
const ENDS = ".,;:!?'…";

/** Splits a text into its web addresses and what is between them. */
export function linksIn(text: string): readonly (string | FoundLink)[] {
  const parts: (string | FoundLink)[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimmed(found);
    const href = safeAddress(address);
    if (href === undefined) continue;
    if (index > end) parts.push(text.slice(end, index));
    parts.push({ href, text: address });
    end = index + address.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** A closing bracket belongs to the sentence, unless the address has an opening one. */
function trimmed(address: string): string {
  const ends = address.includes('(') ? ENDS : `${ENDS})`;
  let end = address.length;
  while (ends.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}
