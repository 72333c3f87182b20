import type { MessageRecord } from '../../core/messages/record.js';
import type { Refusal } from '../connection/refusals.js';

/** `busy`: another transaction was writing to the conversation. */
export type AcceptAnswer = { readonly record: MessageRecord } | Refusal | { readonly busy: true };
