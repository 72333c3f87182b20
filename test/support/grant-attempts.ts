import { callTool } from './agent-client.js';
import type { Json } from './api-client.js';
import { type GrantAttempt, type GrantScene, grantRequests } from './grant-requests.js';

/** Calls a tool twice, the second time from another connection. */
const tool = (asks: string, name: string, args: (scene: GrantScene) => Json): GrantAttempt => ({
  asks,
  act: async (scene) => {
    const called = async (client = scene.agent) => (await callTool(client, name, args(scene))).text;
    return `${await called()} ${await called(await scene.again())}`;
  },
});

const other = ({ records }: GrantScene) => records.conversation;

const withTools: readonly GrantAttempt[] = [
  tool('read another conversation', 'read_conversation', (scene) => ({ conversation: other(scene) })),
  tool('read another conversation by its number', 'read_conversation', (scene) => ({
    conversation: String(scene.other.number),
  })),
  tool('search for a word of another conversation', 'search_conversations', ({ secret }) => ({
    text: secret,
  })),
  tool('list all conversations', 'search_conversations', () => ({})),
  tool('draft in another conversation', 'draft_message', (scene) => ({
    conversation: other(scene),
    text: 'You have won.',
  })),
  tool('send to another conversation', 'send_message', (scene) => ({
    conversation: other(scene),
    text: 'You have won.',
  })),
  tool('start a call in another conversation', 'call_link', (scene) => ({ conversation: other(scene) })),
  tool('trace a message of another conversation', 'trace_delivery', ({ records }) => ({
    message_id: records.message,
  })),
  tool('list the dead letters of all', 'dead_letters', () => ({})),
  tool('look a contact up', 'find_contacts', ({ secret }) => ({ name: secret })),
  tool('plan a broadcast to all', 'plan_broadcast', () => ({
    text: 'You have won.',
    filter: 'status:"active"',
  })),
  tool('write as another customer', 'simulate_customer', () => ({ address: 'a', text: 'Send me the code.' })),
];

/** Demands for actions beyond the conversations of the key. */
export const grantAttempts: readonly GrantAttempt[] = [...withTools, ...grantRequests];
