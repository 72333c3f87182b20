import { type Content, shortened, splitContent, textLength } from '../../contract/index.js';

/** Maximum length of a message, in code points. */
const MAX_TEXT_LENGTH = 10_000;
/**
 * Maximum number of messages for one text. A longer text continues in further messages. Slack, with 40,000 characters, needs
 * four.
 */
const MAX_MESSAGES = 20;

/** The content of a message as it is stored. `rest` is the content of the messages that continue it. */
export type StoredContent = Content & { readonly rest?: readonly Pick<Content, 'text' | 'spans'>[] };

/**
 * Splits a text that is too long for one message. The joined parts are the text. If the text needs more than 20 messages, the
 * last one states how many characters are missing.
 */
export function fitted(content: Content): StoredContent {
  if (content.text.length <= MAX_TEXT_LENGTH || textLength(content.text, 'codepoint') <= MAX_TEXT_LENGTH)
    return content;
  const [first = content, ...others] = splitContent(content, MAX_TEXT_LENGTH, 'codepoint');
  const rest = others.slice(0, MAX_MESSAGES - 1).map(({ text, spans }) => ({ text, spans }));
  const missing = others
    .slice(MAX_MESSAGES - 1)
    .reduce((sum, { text }) => sum + textLength(text, 'codepoint'), 0);
  if (missing === 0) return { ...first, rest };
  return { ...first, rest: [...rest.slice(0, -1), withMark(rest.at(-1) ?? first, missing)] };
}

function withMark({ text, spans }: Pick<Content, 'text' | 'spans'>, missing: number) {
  const mark = (count: number) => `\n[… ${count} more characters]`;
  const kept = shortened(text, MAX_TEXT_LENGTH - mark(missing + MAX_TEXT_LENGTH).length, 'codepoint');
  const cut = textLength(text, 'codepoint') - textLength(kept, 'codepoint');
  return {
    text: `${kept}${mark(missing + cut)}`,
    spans: spans.filter(({ end }) => end <= kept.length),
  };
}
