import type { MessageEntity } from 'grammy/types';

/** A text that cannot be parsed, with the words in which the server says so. */
export class ParseError extends Error {}

/** The server counts bytes of UTF-8 where it names a place. */
export const byteOffset = (text: string, index: number): number => Buffer.byteLength(text.slice(0, index));

/** Entities as the server returns them: outer ones first, none empty. */
export const sorted = (entities: readonly MessageEntity[]): MessageEntity[] =>
  entities.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset || b.length - a.length);
