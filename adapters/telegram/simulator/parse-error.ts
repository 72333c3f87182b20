import type { MessageEntity } from 'grammy/types';

/** A parse failure with the server's wording. */
export class ParseError extends Error {}

/** The server's error positions are UTF-8 byte offsets. */
export const byteOffset = (text: string, index: number): number => Buffer.byteLength(text.slice(0, index));

/** Sorts entities in the server's order: outer ones first, without empty ones. */
export const sorted = (entities: readonly MessageEntity[]): MessageEntity[] =>
  entities.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset || b.length - a.length);
