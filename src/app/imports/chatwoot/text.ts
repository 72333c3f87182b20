/** Text that the database can store: without NUL and unpaired surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** Cuts a text to at most `maxLength` characters. */
export function cut(text: string, maxLength: number): string {
  const characters = [...text.slice(0, maxLength * 2)];
  return characters.length > maxLength
    ? characters.slice(0, maxLength).join('')
    : text.slice(0, maxLength * 2);
}

/** Splits a text into parts of at most `maxLength` characters. */
export function partsOf(text: string, maxLength: number): string[] {
  if (text.length <= maxLength) return [text];
  const characters = [...text];
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += maxLength)
    parts.push(characters.slice(start, start + maxLength).join(''));
  return parts;
}

export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
