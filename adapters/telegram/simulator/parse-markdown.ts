import type { MessageEntity } from 'grammy/types';
import type { FormattedText } from './entities.js';
import { byteOffset, ParseError, sorted } from './parse-error.js';
import { linkTo } from './parse-html.js';

const marks: Readonly<Record<string, string>> = { _: 'italic', '*': 'bold', '`': 'code', '[': 'text_link' };

/** Marks do not nest, and an unclosed one is an error (https://core.telegram.org/bots/api#markdown-style). */
export function parseMarkdown(source: string): FormattedText {
  let text = '';
  const entities: MessageEntity[] = [];
  for (let at = 0; at < source.length; ) {
    const mark = source[at] ?? '';
    const escaped = source[at + 1] ?? '';
    if (mark === '\\' && Object.hasOwn(marks, escaped)) {
      text += escaped;
      at += 2;
    } else if (!Object.hasOwn(marks, mark)) {
      text += mark;
      at += 1;
    } else {
      const { inner, entity, end } = marked(source, at);
      entities.push({ ...entity, offset: text.length, length: inner.length } as MessageEntity);
      text += inner;
      at = end;
    }
  }
  return { text, entities: sorted(entities) };
}

interface Marked {
  readonly inner: string;
  readonly entity: object;
  readonly end: number;
}

function marked(source: string, at: number): Marked {
  const mark = source[at] ?? '';
  const fence = source.startsWith('```', at) ? '```' : mark;
  const closing = fence === '[' ? ']' : fence;
  const end = source.indexOf(closing, at + fence.length);
  if (end < 0)
    throw new ParseError(`Can't find end of the entity starting at byte offset ${byteOffset(source, at)}`);
  const inner = source.slice(at + fence.length, end);
  if (fence === '```') return { ...block(inner), end: end + 3 };
  if (fence !== '[') return { inner, entity: { type: marks[mark] }, end: end + 1 };
  const close = source[end + 1] === '(' ? source.indexOf(')', end) : -1;
  // Brackets without an address are left out.
  if (close < 0) return { inner, entity: { type: 'bold', length: 0 }, end: end + 1 };
  return { inner, entity: linkTo(source.slice(end + 2, close)), end: close + 1 };
}

/** The first line names the language if it is one word. */
export function block(inner: string): { inner: string; entity: object } {
  const language = /^([^\s`]+)\n/.exec(inner)?.[1];
  if (language === undefined) return { inner: inner.replace(/^\n/, ''), entity: { type: 'pre' } };
  return { inner: inner.slice(language.length + 1), entity: { type: 'pre', language } };
}
