import type { MessageRecord } from '../../core/messages/record.js';
import type { Refusal } from '../connection/refusals.js';

/** `busy`: its conversation was being written to. */
export type AcceptAnswer = { readonly record: MessageRecord } | Refusal | { readonly busy: true };
