import type { EntityPayload } from './update.js';

/** A piece of text as the Bot API gives it. Offsets of entities count from the start of the piece. */
export interface Piece {
  readonly text: string;
  readonly entities: readonly EntityPayload[];
}

export const plainPiece = (text: string): Piece => ({ text, entities: [] });

export function piece(text: string, entities: readonly (EntityPayload | null)[] = []): Piece {
  return { text, entities: entities.filter((entity) => entity !== null) };
}

/** The pieces that are not empty, one after the other. */
export function joinPieces(pieces: readonly Piece[], separator: string): Piece {
  let text = '';
  const entities: EntityPayload[] = [];
  for (const each of pieces) {
    if (each.text === '') continue;
    if (text !== '') text += separator;
    const start = text.length;
    // What reaches beyond its piece must not style the next one.
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
export function linkedPiece(text: string, url: string | undefined): Piece {
  if (url === undefined) return plainPiece(text);
  return { text, entities: [{ type: 'text_link', offset: 0, length: text.length, url }] };
}

/** The words of another person as one quote that begins with their name. Quotes do not contain quotes. */
export function quoted(author: string | undefined, words: Piece): Piece {
  const named =
    author === undefined ? undefined : plainPiece(words.text === '' ? `${author}:` : `${author}: `);
  const { text, entities } = joinPieces(named === undefined ? [words] : [named, words], '');
  if (text === '') return plainPiece('');
  const inner = entities.filter(({ type }) => type !== 'blockquote' && type !== 'expandable_blockquote');
  return { text, entities: [{ type: 'blockquote', offset: 0, length: text.length }, ...inner] };
}
