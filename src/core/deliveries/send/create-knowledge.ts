import { askedWaitMs } from '../../../contract/asked-wait.js';
import type { LookupResult } from '../../../contract/index.js';
import { RECONCILE_AGAIN_MS, RECONCILE_SELDOM_MS } from '../retry-schedule.js';

/**
 * What is known about a create without a response.
 *
 * `unanswered`: the create may have been sent, and nothing more is known. The request may still be in progress, even if
 * its connection was closed on this side, so the absence of the message proves nothing.
 *
 * `found`: the message exists on the platform.
 *
 * `repeatable`: another create cannot produce a second message, because no earlier create can take effect any more
 * (`settled`), or because the platform returns the message of the first one (`recognised`).
 *
 * `unknowable`: the platform can never determine the outcome.
 */
export type CreateKnowledge =
  | { readonly state: 'unanswered'; readonly askAgainAfterMs?: number }
  | { readonly state: 'found'; readonly found: Extract<LookupResult, { outcome: 'found' }> }
  | { readonly state: 'repeatable'; readonly proof: 'settled' | 'recognised' }
  | { readonly state: 'unknowable' };

/** Converts the result of a lookup to knowledge about the create. Pure. */
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
        : { state: 'unanswered', askAgainAfterMs: askedWaitMs(askAgainAfterMs) };
    }
  }
}

/** Milliseconds until the next lookup: as long as the outcome has been unknown, within limits. */
export function lookAgainMs(unknownForMs: number): number {
  return Math.max(RECONCILE_AGAIN_MS, Math.min(unknownForMs, RECONCILE_SELDOM_MS));
}

/** Thrown for a create that may still take effect. The write waits, and no attempt is counted. */
export class StillUnanswered extends Error {
  override readonly name = 'StillUnanswered';

  constructor(readonly waitMs: number) {
    super('It is not known yet whether an earlier attempt wrote this part.');
  }
}
