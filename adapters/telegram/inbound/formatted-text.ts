import type { EntityPayload } from './update.js';

/** A text with entities, as in the Bot API. Offsets of entities count from the start of the text. */
export interface FormattedText {
  readonly text: string;
  readonly entities: readonly EntityPayload[];
}

export const plainText = (text: string): FormattedText => ({ text, entities: [] });

export function formattedText(text: string, entities: readonly (EntityPayload | null)[] = []): FormattedText {
  return { text, entities: entities.filter((entity) => entity !== null) };
}

/** Joins the texts that are not empty. */
export function joinTexts(pieces: readonly FormattedText[], separator: string): FormattedText {
  let text = '';
  const entities: EntityPayload[] = [];
  for (const each of pieces) {
    if (each.text === '') continue;
    if (text !== '') text += separator;
    const start = text.length;
    // An entity that exceeds its text must not style the next one.
    for (const entity of each.entities) {
      const offset = Math.max(0, entity.offset);
      const length = Math.min(entity.offset + entity.length, each.text.length) - offset;
      if (length > 0) entities.push({ ...entity, offset: start + offset, length });
    }
    text += each.text;
  }
  return { text, entities };
}

/** The text as a link; plain text where there is no address. */
export function linkedText(text: string, url: string | undefined): FormattedText {
  if (url === undefined) return plainText(text);
  return { text, entities: [{ type: 'text_link', offset: 0, length: text.length, url }] };
}

/** Quotes another person's text, with the name of that person in the first line. Quotes do not nest. */
export function quotedText(author: string | undefined, words: FormattedText): FormattedText {
  const named =
    author === undefined ? undefined : plainText(words.text === '' ? `${author}:` : `${author}: `);
  const { text, entities } = joinTexts(named === undefined ? [words] : [named, words], '');
  if (text === '') return plainText('');
  const inner = entities.filter(({ type }) => type !== 'blockquote' && type !== 'expandable_blockquote');
  return { text, entities: [{ type: 'blockquote', offset: 0, length: text.length }, ...inner] };
}
