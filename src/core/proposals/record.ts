import { z } from 'zod';
import { text, wireId, wireTime } from '../schema/scalars.js';

const proposalStatuses = ['pending', 'approved', 'refused', 'expired'] as const;

/** A message that an agent proposes. A member approves it, with or without changes, or refuses it. */
export const proposalRecord = z
  .object({
    id: wireId,
    conversation_id: wireId,
    proposer: z.string().meta({ description: 'Name of the API key or the app.' }),
    text: z.string(),
    status: z.enum(proposalStatuses),
    read_others: z.int().meta({ description: 'How many other conversations the agent had read.' }),
    message_id: wireId.nullable().meta({ description: 'The message that was sent.' }),
    created_at: wireTime,
    expires_at: wireTime.meta({ description: 'It cannot be approved after this time.' }),
  })
  .meta({ id: 'ProposalRecord' });
export type ProposalRecord = z.infer<typeof proposalRecord>;

/** Has the maximum length of a message text, and a visible character. */
export const proposedText = text(1, 10_000).refine((value) => value.trim() !== '', {
  error: 'must have a non-blank character',
  params: { code: 'too_short' },
});

export const approveProposalBody = z.object({
  text: proposedText.optional().meta({ description: 'Absent: as it was proposed.' }),
});
export type ApproveProposalBody = z.output<typeof approveProposalBody>;
