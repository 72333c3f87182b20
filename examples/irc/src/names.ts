/** A name in lower case, as servers compare names (RFC 2812 section 2.2: braces are the lower case of brackets). */
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

/** Whether a message may have this target. Characters that end a word or separate a list are not allowed. */
export function isTarget(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes them.
  return /^[^\s:,\x00-\x1f][^\s,\x00-\x1f]*$/.test(name) && Buffer.byteLength(name) <= 50;
}
