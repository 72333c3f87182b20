import { expect, it } from 'vitest';
import { knowledgeFrom } from '../../../../src/core/deliveries/send/create-knowledge.js';

it.each([
  [5_000, 5_000],
  [Number.POSITIVE_INFINITY, 1_000],
  [Number.NaN, 1_000],
  [-1, 1_000],
  [1e12, 86_400_000],
])(
  'An adapter that asks for a wait of %d ms before the next lookup is asked again after %d ms',
  (askAgainAfterMs, waitMs) => {
    expect(knowledgeFrom({ outcome: 'undecidable', askAgainAfterMs })).toEqual({
      state: 'unanswered',
      askAgainAfterMs: waitMs,
    });
  },
);
