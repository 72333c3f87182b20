import { type AdapterDefinition, type Content, type Span, splitContent } from '../../../contract/index.js';

/** Maximum number of spans in one message. Later spans are omitted. */
const MAX_SPANS = 200;

/** One message as recipients see it. */
export interface ShownText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** The messages into which a platform splits a text, with the formats that it supports. */
export function shownTexts(content: Content, definition: AdapterDefinition | undefined): ShownText[] {
  if (definition === undefined) return [{ text: content.text, spans: [] }];
  const { max, unit, formats } = definition.capabilities.text;
  const spans = content.spans.filter(({ mark }) => formats[mark] !== 'dropped');
  const areWritten = formats.link === 'emulated';
  const kept = { ...content, spans };
  return splitContent(areWritten ? withAddresses(kept) : kept, max, unit).map((part) => ({
    text: part.text,
    spans: part.spans.filter(({ mark }) => mark !== 'link' || !areWritten).slice(0, MAX_SPANS),
  }));
}

/** Writes `label (address)` on platforms without links. A span over both keeps them in one message. */
function withAddresses({ text, spans, attachments }: Content): Content {
  const links = spans
    .filter(({ mark, start, end, value }) => mark === 'link' && value && value !== text.slice(start, end))
    .sort((a, b) => a.end - b.end);
  const added = links.map(({ end, value }) => ({ at: end, what: ` (${value})` }));
  const pieces = added.map(({ at, what }, index) => text.slice(added[index - 1]?.at ?? 0, at) + what);
  const moved = (offset: number, isEnd: boolean) =>
    added
      .filter(({ at }) => at < offset || (at === offset && !isEnd))
      .reduce((sum, { what }) => sum + what.length, offset);
  return {
    text: pieces.join('') + text.slice(added.at(-1)?.at ?? 0),
    spans: spans.map((span) => ({
      ...span,
      start: moved(span.start, false),
      end: moved(span.end, span.mark !== 'link'),
    })),
    attachments,
  };
}
