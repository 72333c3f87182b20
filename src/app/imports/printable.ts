const MAX_CHARACTERS = 200;
/** Names come from people and other systems. Unprintable characters are replaced, because a terminal would interpret them. */
const UNPRINTABLE = /\p{C}/gu;

/** A name or a reason as it appears in a report. */
export function printable(text: string): string {
  const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return shown.replace(UNPRINTABLE, '?');
}
