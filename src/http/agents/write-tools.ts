import { z } from 'zod';
import type { OAuthRule, ScopeRule } from '../../core/access/authorize.js';
import type { Caller } from '../../core/access/caller.js';
import type { AgentUse } from '../../core/agents/ports.js';
import type { AllowedCall } from '../../core/agents/sessions.js';
import { proposedText } from '../../core/proposals/record.js';
import type { Proposals } from '../../core/proposals/use-cases.js';
import type { PostApi } from './rest-api.js';
import { conversationInput } from './tools.js';

/** What a tool that writes works with. The call is allowed already. */
interface Writing {
  readonly caller: Caller;
  readonly proposals: Proposals;
  readonly post: PostApi;
  readonly allowed: AllowedCall;
}

/** A tool that writes to one conversation. */
export interface WriteTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly use: Exclude<AgentUse, 'read'>;
  /** What the credentials need. */
  readonly scopes: ScopeRule;
  readonly oauth: OAuthRule;
  readonly input: z.ZodObject;
  readonly run: (args: WriteArguments, writing: Writing) => Promise<object>;
}

const common = {
  conversation: conversationInput,
  text: proposedText.describe('The whole message, as the people of the conversation read it'),
};
const repeat = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .optional()
  .describe('A value of your choice. A second call with the same one returns the first message');

const sendInput = z.object({ ...common, idempotency_key: repeat });
type WriteArguments = z.output<typeof sendInput>;

export const writeTools: readonly WriteTool[] = [
  {
    name: 'draft_message',
    title: 'Draft a message',
    description:
      'Proposes a message for one conversation. Nothing is sent until a person approves the proposal, which expires after 24 hours.',
    use: 'draft',
    scopes: ['messages:draft'],
    oauth: 'messages.write',
    input: z.object(common),
    run: ({ text }, { caller, proposals, allowed }) =>
      proposals.propose(caller, allowed.conversationId, text, allowed.others),
  },
  {
    name: 'send_message',
    title: 'Send a message',
    description:
      'Sends a message to one conversation at once. It is refused after something else than this conversation was read in the last 24 hours: draft the message then.',
    use: 'send',
    scopes: ['messages:write'],
    oauth: 'messages.write',
    input: sendInput,
    run: ({ text, idempotency_key: key }, { post, allowed }) =>
      post('/openapi/messages', { conversation_id: allowed.conversationId, text }, key),
  },
];
