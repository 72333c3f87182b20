import type { TextSpan } from '../api/rehearsals';

/** A text range, or formatting with its children. */
export type Stretch = string | { readonly span: TextSpan; readonly children: readonly Stretch[] };

/** Builds a tree from a text and its spans. Spans that overlap partially or exceed the text are ignored. */
export function stretchesOf(text: string, spans: readonly TextSpan[]): readonly Stretch[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  return within(text, sorted, 0, text.length);
}

function within(text: string, spans: readonly TextSpan[], from: number, to: number): Stretch[] {
  const found: Stretch[] = [];
  let reached = from;
  for (const [index, span] of spans.entries()) {
    const { start, end } = span;
    if (start < reached || end > to || start >= end) continue;
    if (start > reached) found.push(text.slice(reached, start));
    const inner = spans.slice(index + 1).filter((each) => each.start < end);
    found.push({ span, children: within(text, inner, start, end) });
    reached = end;
  }
  if (reached < to) found.push(text.slice(reached, to));
  return found;
}
