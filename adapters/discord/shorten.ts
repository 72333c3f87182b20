/** The start of a text: as many whole characters as fit into `most` UTF-16 units. */
export function shortened(text: string, most: number): string {
  const splitsPair = text.length > most && (text.codePointAt(most - 1) ?? 0) > 0xff_ff;
  return text.slice(0, splitsPair ? most - 1 : most);
}
