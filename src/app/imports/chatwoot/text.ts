/** Text that the database can store: without NUL and unpaired surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** Cuts a text to at most `most` characters. */
export function cut(text: string, most: number): string {
  const characters = [...text.slice(0, most * 2)];
  return characters.length > most ? characters.slice(0, most).join('') : text.slice(0, most * 2);
}

/** Splits a text into parts of at most `most` characters. */
export function partsOf(text: string, most: number): string[] {
  if (text.length <= most) return [text];
  const characters = [...text];
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += most)
    parts.push(characters.slice(start, start + most).join(''));
  return parts;
}

export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
