import type { MessageEntity } from 'grammy/types';
import { z } from 'zod';

export interface FormattedText {
  readonly text: string;
  readonly entities: MessageEntity[];
}

const known = new Set([
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
  'date_time',
]);

const entitySchema = z.array(
  z.looseObject({ type: z.string(), offset: z.number().int(), length: z.number().int() }),
);

/** The server's error description if the entities do not fit the text. */
export function entityProblem(text: string, raw: unknown): string | undefined {
  const parsed = entitySchema.safeParse(raw ?? []);
  if (!parsed.success) return "can't parse entities: Expected an Array of MessageEntity";
  for (const { type, offset, length } of parsed.data) {
    if (!known.has(type)) return `can't parse MessageEntity: Unsupported type "${type}" specified`;
    if (offset < 0) return `receive an entity with incorrect offset ${offset}`;
    if (length < 0) return `receive an entity with incorrect length ${length}`;
    if (cutsCharacter(text, offset))
      return `entity begins in a middle of a UTF-16 symbol at offset ${offset}`;
    const end = offset + length;
    if (end > text.length)
      return `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`;
    if (cutsCharacter(text, end))
      return `entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol at offset ${end}`;
  }
  return undefined;
}

function cutsCharacter(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

/** Trims white space around the text and shifts the entities. */
export function trimmed(text: string, raw: unknown): FormattedText {
  const entities = entitySchema.parse(raw ?? []) as MessageEntity[];
  const kept = text.trim();
  const cut = text.length - text.trimStart().length;
  return {
    text: kept,
    entities: entities.flatMap((entity) => {
      const start = Math.max(0, entity.offset - cut);
      const end = Math.min(kept.length, entity.offset + entity.length - cut);
      return end > start ? [{ ...entity, offset: start, length: end - start }] : [];
    }),
  };
}
