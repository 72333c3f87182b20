import type { LookupResult } from '../../../contract/index.js';
import { RECONCILE_AGAIN_MS, RECONCILE_SELDOM_MS } from '../retry-schedule.js';

/**
 * What is known about a create that got no answer.
 *
 * `unanswered`: it was sent, or may have been, and nothing more is known. The request may still be in progress, whether its
 * connection is open or was closed on this side, so a message that is not there yet proves nothing.
 * `found`: the message is on the platform. `repeatable`: another create can't make a second message, since no earlier one
 * can take effect any more (`settled`), or since the platform answers with the message of the first (`recognised`).
 * `unknowable`: the platform will never be able to tell.
 */
export type CreateKnowledge =
  | { readonly state: 'unanswered'; readonly askAgainAfterMs?: number }
  | { readonly state: 'found'; readonly found: Extract<LookupResult, { outcome: 'found' }> }
  | { readonly state: 'repeatable'; readonly proof: 'settled' | 'recognised' }
  | { readonly state: 'unknowable' };

/** What an answer of the platform says about the create that was asked about. Pure. */
export function knowledgeFrom(result: LookupResult): CreateKnowledge {
  switch (result.outcome) {
    case 'found':
      return { state: 'found', found: result };
    case 'absent':
      if (result.resend === undefined) return { state: 'unanswered' };
      return { state: 'repeatable', proof: result.resend };
    case 'undecidable': {
      const { askAgainAfterMs } = result;
      return askAgainAfterMs === undefined
        ? { state: 'unknowable' }
        : { state: 'unanswered', askAgainAfterMs };
    }
  }
}

/** Milliseconds until the platform is asked again: as long as the outcome has been unknown, within bounds. */
export function lookAgainMs(unknownForMs: number): number {
  return Math.max(RECONCILE_AGAIN_MS, Math.min(unknownForMs, RECONCILE_SELDOM_MS));
}

/** Raised for a create that may still take effect. The write that needs it waits; that is no try. */
export class StillUnanswered extends Error {
  override readonly name = 'StillUnanswered';

  constructor(readonly waitMs: number) {
    super('Whether an earlier try has written this part is not known yet.');
  }
}
