import { z } from 'zod';
import type { OAuthRule, ScopeRule } from '../../core/access/authorize.js';
import type { Caller } from '../../core/access/caller.js';
import type { AgentUse } from '../../core/agents/ports.js';
import type { AllowedCall } from '../../core/agents/sessions.js';
import { proposedText } from '../../core/proposals/record.js';
import type { Proposals } from '../../core/proposals/use-cases.js';
import type { PostApi } from './rest-api.js';
import { conversationInput } from './tools.js';

/** The context of a tool that writes. The call is already allowed. */
interface Writing {
  readonly caller: Caller;
  readonly proposals: Proposals;
  readonly post: PostApi;
  readonly allowed: AllowedCall;
}

/** A tool that writes. If it has an argument `conversation`, it writes to that conversation. */
export interface WriteTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly use: Exclude<AgentUse, 'read'>;
  /** The scopes that the credentials need. */
  readonly scopes: ScopeRule;
  readonly oauth: OAuthRule;
  /** Whether the tool is only for keys of test workspaces. */
  readonly inTestOnly?: boolean;
  readonly input: z.ZodObject;
  readonly run: (args: Record<string, unknown>, writing: Writing) => Promise<object>;
}

function tool<S extends z.ZodObject>(
  spec: Omit<WriteTool, 'input' | 'run'> & {
    readonly input: S;
    readonly run: (args: z.output<S>, writing: Writing) => Promise<object>;
  },
): WriteTool {
  return spec as unknown as WriteTool;
}

const common = {
  conversation: conversationInput,
  text: proposedText.describe('The whole message, as the people of the conversation read it'),
};
const repeat = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .optional()
  .describe('A value of your choice. A second call with the same one returns the first result');

const draftMessage = tool({
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
});

const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a message to one conversation at once. It is refused if other data than this conversation was read in the last 24 hours. Draft the message in that case.',
  use: 'send',
  scopes: ['messages:write'],
  oauth: 'messages.write',
  input: z.object({ ...common, idempotency_key: repeat }),
  run: ({ text, idempotency_key: key }, { post, allowed }) =>
    post('/openapi/messages', { conversation_id: allowed.conversationId, text }, key),
});

const callLink = tool({
  name: 'call_link',
  title: 'Start a call',
  description:
    'Starts a call in one conversation and returns join_url, the page on which people join. Contacts get a message with their link. It is refused if other data than this conversation was read in the last 24 hours.',
  use: 'send',
  scopes: ['calls:write'],
  oauth: 'calls.write',
  input: z.object({
    conversation: conversationInput,
    type: z.enum(['voice', 'video']).default('voice'),
    idempotency_key: repeat,
  }),
  run: ({ type, idempotency_key: key }, { post, allowed }) =>
    post('/openapi/calls', { conversation_id: allowed.conversationId, type }, key),
});

const simulateCustomer = tool({
  name: 'simulate_customer',
  title: 'Write as a simulated customer',
  description:
    'Writes a message as the person at an address of the sandbox, and returns it with its conversation. Only keys of test workspaces have this tool. No message leaves the service.',
  use: 'simulate',
  scopes: ['platforms:write'],
  oauth: null,
  inTestOnly: true,
  input: z.object({
    address: z.string().min(1).max(256).describe('Address of your choice. The same one is the same person'),
    text: proposedText.describe('What the person writes'),
  }),
  run: ({ address, text }, { post }) => post('/openapi/sandbox/inbound', { address, text }),
});

export const writeTools: readonly WriteTool[] = [draftMessage, sendMessage, callLink, simulateCustomer];
