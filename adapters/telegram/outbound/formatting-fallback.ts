import type { Api } from 'grammy';
import type { Receipt } from '../../../src/contract/index.js';
import { isFormattingRefused } from '../client/errors.js';

/** Entities as the client's methods take them; the payload is our own rendering, so its shape is known. */
type Entities = NonNullable<Parameters<Api['raw']['sendMessage']>[0]['entities']>;

export interface OutgoingText {
  readonly text: string;
  readonly entities: Entities;
}

/** Writes once; when only the formatting is refused, nothing was written and the bare text is sent instead. */
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
