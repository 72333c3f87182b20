/** Names in one case, as servers compare them (RFC 2812 section 2.2: braces are the lower case of brackets). */
export function lowerCase(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('[', '{')
    .replaceAll(']', '}')
    .replaceAll('\\', '|')
    .replaceAll('~', '^');
}

export function isChannel(name: string): boolean {
  return /^[#&+!]/.test(name);
}

/** What may stand as the target of a message: nothing that ends the word or begins a list. */
export function isTarget(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get through.
  return /^[^\s:,\x00-\x1f][^\s,\x00-\x1f]*$/.test(name) && Buffer.byteLength(name) <= 50;
}
