/**
 * Finds the inline code that begins at `at`, by the rules of Discord's client. It ends at the next run with the same
 * number of backticks. If there is none, it ends at the next shorter run, and the rest of the opening run belongs to
 * the code.
 */
export function inlineCode(source: string, at: number): { code: string; length: number } | undefined {
  const opening = runLength(source, at);
  let best: { start: number; run: number } | undefined;
  let start = source.indexOf('`', at + opening);
  while (start !== -1) {
    const run = runLength(source, start);
    if (run <= opening && run > (best?.run ?? 0)) best = { start, run };
    if (run === opening) break;
    start = source.indexOf('`', start + run);
  }
  if (best === undefined) return undefined;
  return { code: source.slice(at + best.run, best.start), length: best.start + best.run - at };
}

function runLength(source: string, at: number): number {
  let end = at;
  while (source[end] === '`') end += 1;
  return end - at;
}
