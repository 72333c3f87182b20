const MAX_CHARACTERS = 200;
/** Names come from people and from other systems; they must not control a terminal. */
const UNPRINTABLE = /\p{C}/gu;

/** A name or a reason as a report shows it. */
export function printable(text: string): string {
  const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return shown.replace(UNPRINTABLE, '?');
}
