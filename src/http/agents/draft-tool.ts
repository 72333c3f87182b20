import { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/common/errors.js';
import { conversationKey } from '../../core/conversations/bodies.js';
import { proposedText } from '../../core/proposals/record.js';
import type { Proposals } from '../../core/proposals/use-cases.js';
import { conversationInput } from './tools.js';

/** What credentials need to propose a message. */
export const DRAFTING = { scopes: ['messages:draft'], oauth: 'messages.write' } as const;

const input = z.object({
  conversation: conversationInput,
  text: proposedText.describe('The whole message, as the people of the conversation would read it'),
});

/** Stores a proposal. It sends nothing. */
export const draftTool = {
  name: 'draft_message',
  title: 'Draft a message',
  description:
    'Proposes a message for one conversation. Nothing is sent until a person approves the proposal, which expires after 24 hours.',
  input,
  run: async (args: Record<string, unknown>, caller: Caller, proposals: Proposals): Promise<object> => {
    const { conversation, text } = args as z.output<typeof input>;
    const key = conversationKey.safeParse(conversation);
    if (!key.success) throw notFound('The conversation');
    return proposals.propose(caller, key.data, text);
  },
};
