import type { Mark, Span } from '../../../src/contract/index.js';

/** Text as plain text plus spans. */
export interface ParsedText {
  readonly text: string;
  readonly spans: readonly Span[];
}

interface Draft extends Span {
  end: number;
}

/** Writes text from front to back and notes which stretches of it are styled. */
export class Writer {
  text = '';
  #spans: Draft[] = [];
  /** Spans by where they end, so that the one to extend is found without looking at all. */
  #endingAt = new Map<number, Draft[]>();

  /** Known without a look at the text: each look makes one string of all that was added since the last. */
  #endsLine = true;

  /** Whether nothing stands on the last line. */
  get atLineStart(): boolean {
    return this.#endsLine;
  }

  write(text: string): void {
    this.text += text;
    if (text !== '') this.#endsLine = text.endsWith('\n');
  }

  /** Text that was read elsewhere. */
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

  /** A span from `start` to here, unless it would be empty. */
  add(mark: Mark, start: number, value?: string): void {
    const end = this.text.length;
    if (end > start) this.#push({ mark, start, end, ...(value === undefined ? {} : { value }) });
  }

  /** As `add`, but a span of the same mark that ends at `start` grows instead. */
  extend(mark: Mark, start: number, value?: string): void {
    const candidates = this.#endingAt.get(start) ?? [];
    const at = candidates.findIndex((span) => span.mark === mark && span.value === value);
    const [before] = at < 0 ? [] : candidates.splice(at, 1);
    if (before === undefined) return this.add(mark, start, value);
    before.end = this.text.length;
    this.#noteEnd(before);
  }

  /** Makes one span of those of a mark that only a line break divides. */
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

  /** Outer spans before inner ones, none crossing another. */
  sortedSpans(): Span[] {
    return nested(this.#spans);
  }
}

function outerFirst(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end;
}

/** Spans that cross an earlier one are cut where that one ends. */
function nested(spans: readonly Span[]): Span[] {
  // The next one stands last: to take it from the front would move all others.
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
