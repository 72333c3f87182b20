import type { Mark, Span } from '../../../src/contract/index.js';

/** Plain text with spans. */
export interface ParsedText {
  readonly text: string;
  readonly spans: readonly Span[];
}

interface Draft extends Span {
  end: number;
}

/** Appends text and records which ranges are styled. */
export class Writer {
  text = '';
  #spans: Draft[] = [];
  /** Spans by their end, so that the one to extend is found without a scan. */
  #endingAt = new Map<number, Draft[]>();

  /** Kept as a field, because each read of the text joins all chunks since the last read. */
  #endsLine = true;

  /** Whether the last line is empty. */
  get atLineStart(): boolean {
    return this.#endsLine;
  }

  write(text: string): void {
    this.text += text;
    if (text !== '') this.#endsLine = text.endsWith('\n');
  }

  /** Appends text that was parsed elsewhere. */
  append({ text, spans }: ParsedText): void {
    const at = this.text.length;
    this.write(text);
    for (const span of spans) this.#push({ ...span, start: span.start + at, end: span.end + at });
  }

  span(mark: Mark, content: () => void, value?: string): void {
    const start = this.text.length;
    content();
    this.add(mark, start, value);
  }

  /** Adds a span from `start` to the current end, unless it would be empty. */
  add(mark: Mark, start: number, value?: string): void {
    const end = this.text.length;
    if (end > start) this.#push({ mark, start, end, ...(value === undefined ? {} : { value }) });
  }

  /** Like `add`, but extends a span of the same mark that ends at `start`. */
  extend(mark: Mark, start: number, value?: string): void {
    const candidates = this.#endingAt.get(start) ?? [];
    const at = candidates.findIndex((span) => span.mark === mark && span.value === value);
    const [before] = at < 0 ? [] : candidates.splice(at, 1);
    if (before === undefined) return this.add(mark, start, value);
    before.end = this.text.length;
    this.#noteEnd(before);
  }

  /** Merges spans of a mark that only a line break separates. */
  join(mark: Mark): void {
    const joined: Draft[] = [];
    let last: Draft | undefined;
    for (const span of [...this.#spans].sort(outerFirst)) {
      if (span.mark === mark && last !== undefined && this.#adjoins(last, span))
        last.end = Math.max(last.end, span.end);
      else joined.push(span);
      if (span.mark === mark && joined.at(-1) === span) last = span;
    }
    this.#spans = joined;
    this.#endingAt = new Map();
    for (const span of joined) this.#noteEnd(span);
  }

  #push(span: Draft): void {
    this.#spans.push(span);
    this.#noteEnd(span);
  }

  #noteEnd(span: Draft): void {
    const others = this.#endingAt.get(span.end);
    if (others === undefined) this.#endingAt.set(span.end, [span]);
    else others.push(span);
  }

  #adjoins(last: Draft, { start }: Draft): boolean {
    return start <= last.end || (start === last.end + 1 && this.text[last.end] === '\n');
  }

  /** Outer spans come before inner ones. No span crosses another. */
  sortedSpans(): Span[] {
    return nested(this.#spans);
  }
}

function outerFirst(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end;
}

/** Cuts spans at the end of an earlier span that they cross. */
function nested(spans: readonly Span[]): Span[] {
  // The next span is last in the list: removing from the front would move all others.
  const waiting = [...spans].sort(outerFirst).reverse();
  const done: Span[] = [];
  const open: Span[] = [];
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    const { start } = span;
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    const limit = open.at(-1)?.end ?? span.end;
    if (span.end > limit) {
      insert(waiting, { ...span, start: limit });
      span = { ...span, end: limit };
    }
    done.push(span);
    open.push(span);
  }
  return done.sort(outerFirst);
}

function insert(waiting: Span[], span: Span): void {
  let at = waiting.length;
  while (at > 0 && outerFirst(span, waiting[at - 1] as Span) >= 0) at -= 1;
  waiting.splice(at, 0, span);
}
