/** A number with its noun, such as `1 file` and `2 files`. */
export function amount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
