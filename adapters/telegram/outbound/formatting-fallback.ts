import type { Api } from 'grammy';
import type { Receipt } from '../../../src/contract/index.js';
import { isFormattingRefused } from '../client/errors.js';

/** The type of entities in the client's methods. The payload is our own rendering, so the cast is safe. */
type Entities = NonNullable<Parameters<Api['raw']['sendMessage']>[0]['entities']>;

export interface OutgoingText {
  readonly text: string;
  readonly entities: Entities;
}

/** Writes once. If Telegram refuses only the formatting, it wrote nothing, and the plain text is sent instead. */
export async function withFormatting(
  { text, entities }: { readonly text: string; readonly entities: readonly unknown[] },
  write: (text: OutgoingText) => Promise<Receipt>,
): Promise<Receipt> {
  try {
    return await write({ text, entities: entities as Entities });
  } catch (error) {
    if (entities.length === 0 || !isFormattingRefused(error)) throw error;
    const receipt = await write({ text, entities: [] });
    return { ...receipt, degradations: [...(receipt.degradations ?? []), 'format'] };
  }
}
