const ABBREVIATIONS = new Set(['api', 'id', 'sid', 'tls', 'url']);

/** Converts "bot_token" to "Bot token". */
export function titleOf(name: string): string {
  const words = name
    .split('_')
    .map((word) => (ABBREVIATIONS.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
