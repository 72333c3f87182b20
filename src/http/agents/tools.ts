import { z } from 'zod';
import { oneList, type PostApi, type ReadApi } from './rest-api.js';

/** A tool that reads. The credentials need the access that the routes in `reads` need, and no other rule applies. */
export interface ReadTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Paths of the GET routes that the tool uses. */
  readonly reads: readonly string[];
  /** Path of the POST route that the tool uses to calculate something. */
  readonly asks?: string;
  readonly input: z.ZodObject;
  readonly run: (args: Record<string, unknown>, read: ReadApi, ask: PostApi) => Promise<unknown>;
}

const CONVERSATIONS = '/openapi/conversations';
const CONVERSATION = '/openapi/conversations/{id}';
const MESSAGES = '/openapi/messages';
const MESSAGE = '/openapi/messages/{id}';
const TRACE = '/openapi/messages/{id}/trace';
const DELIVERIES = '/openapi/deliveries';
const USERS = '/openapi/users';
const PLATFORMS = '/openapi/platforms';
const STATUS = '/openapi/status';
const BROADCASTS = '/openapi/broadcasts';

const limit = z.int().min(1).max(50).default(20).describe('Largest number of records');
const cursor = z.string().max(2_000).default('').describe('next_cursor of the page before');
const word = z.string().regex(/^[a-z0-9_-]{1,64}$/);
const platform = word.optional().describe('Id of a platform, such as telegram');
const text = z.string().min(3).max(200);
/** Id or number of a conversation. */
export const conversationInput = z
  .string()
  .regex(/^(?:\d{1,15}|[0-9a-fA-F-]{36})$/)
  .describe('Id or number of the conversation');

function tool<S extends z.ZodObject>(
  spec: Omit<ReadTool, 'input' | 'run'> & {
    readonly input: S;
    readonly run: (args: z.output<S>, read: ReadApi, ask: PostApi) => Promise<unknown>;
  },
): ReadTool {
  return spec as unknown as ReadTool;
}

/** A condition of a list. The value is quoted, so that it cannot add another condition. */
function is(field: string, value: string | undefined, operator = ''): string[] {
  if (value === undefined) return [];
  return [`${field}:${operator}"${value.replaceAll(/["\\]/g, '\\$&')}"`];
}

const searchConversations = tool({
  name: 'search_conversations',
  title: 'Search conversations',
  description:
    'Lists conversations, the most recently used first. With text it searches titles and message texts, newest first, and also returns the matching messages.',
  reads: [CONVERSATIONS, MESSAGES],
  input: z.object({
    text: text.optional().describe('Part of a title or message'),
    status: word.optional().describe('Status, such as open'),
    platform,
    limit,
    cursor,
  }),
  run: async ({ text: wanted, status, platform: on, limit: maxRecords, cursor: after }, read) => {
    const filter = [...is('status', status), ...is('platform', on), ...is('title', wanted, '~')];
    const sort = wanted === undefined ? 'last_message_at' : 'created_at';
    const page = oneList(
      'conversations',
      await read(CONVERSATIONS, {}, { sort, filter, limit: maxRecords, cursor: after }),
    );
    if (wanted === undefined || after !== '') return page;
    const found = [...is('text', wanted, '~'), ...is('platform', on)];
    const messages = await read(MESSAGES, {}, { filter: found, limit: maxRecords, cursor: '' });
    return { ...page, messages: oneList('messages', messages).messages };
  },
});

const readConversation = tool({
  name: 'read_conversation',
  title: 'Read a conversation',
  description: 'Gets one conversation by id or number, with its messages, the newest first.',
  reads: [CONVERSATION, MESSAGES],
  input: z.object({ conversation: conversationInput, limit, cursor }),
  run: async ({ conversation, limit: maxRecords, cursor: after }, read) => {
    const record = await read(CONVERSATION, { id: conversation });
    const query = { conversation_id: conversation, limit: maxRecords, cursor: after };
    return { conversation: record, ...oneList('messages', await read(MESSAGES, {}, query)) };
  },
});

const findContacts = tool({
  name: 'find_contacts',
  title: 'Find contacts',
  description: 'Finds contacts by name, e-mail address, phone number or platform.',
  reads: [USERS],
  input: z.object({
    name: text.optional().describe('Part of the display name'),
    email: text.optional().describe('Part of the e-mail address'),
    phone: text.optional().describe('Part of the phone number'),
    platform,
    limit,
    cursor,
  }),
  run: async ({ name, email, phone, platform: on, limit: maxRecords, cursor: after }, read) => {
    const filter = [
      ...is('kind', 'contact'),
      ...is('display_name', name, '~'),
      ...is('email', email, '~'),
      ...is('phone', phone, '~'),
      ...is('platform', on),
    ];
    return oneList('contacts', await read(USERS, {}, { filter, limit: maxRecords, cursor: after }));
  },
});

const platformHealth = tool({
  name: 'platform_health',
  title: 'Platform health',
  description:
    'Shows the state of the service and of every platform connection, with what to do about a fault.',
  reads: [PLATFORMS, STATUS],
  input: z.object({}),
  run: async (_args, read) => {
    const service = await read(STATUS, {});
    return { service, ...oneList('platforms', await read(PLATFORMS, {}, { limit: 100, cursor: '' })) };
  },
});

const traceDelivery = tool({
  name: 'trace_delivery',
  title: 'Trace a message',
  description: 'Shows step by step what happened to one message and its deliveries on each platform.',
  reads: [MESSAGE, TRACE],
  input: z.object({ message_id: z.guid().describe('Id of the message') }),
  run: async ({ message_id: id }, read) => {
    const { conversation_id } = (await read(MESSAGE, { id })) as { conversation_id: string };
    return { conversation_id, ...(await read(TRACE, { id })) };
  },
});

const deadLetters = tool({
  name: 'dead_letters',
  title: 'Dead letters',
  description:
    'Lists deliveries that failed, expired or have an unknown outcome, the newest first, with their errors.',
  reads: [DELIVERIES],
  input: z.object({
    status: z.enum(['failed', 'expired', 'uncertain']).default('failed'),
    platform,
    limit,
    cursor,
  }),
  run: async ({ status, platform: on, limit: maxRecords, cursor: after }, read) => {
    const filter = [...is('status', status), ...is('platform', on)];
    return oneList('deliveries', await read(DELIVERIES, {}, { filter, limit: maxRecords, cursor: after }));
  },
});

const ids = z.array(z.guid()).max(100).default([]);

const planBroadcast = tool({
  name: 'plan_broadcast',
  title: 'Plan a broadcast',
  description:
    'Predicts a broadcast: how many people it would reach, whom it would skip and why, how long it would take, and samples of the text. Creates and sends nothing.',
  reads: [],
  asks: BROADCASTS,
  input: z.object({
    text: z.string().min(1).max(10_000).optional().describe('Either this or template_id'),
    template_id: z.guid().optional(),
    category: z.enum(['marketing', 'transactional']).default('marketing'),
    filter: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('Filter of contacts, such as platform:"telegram"'),
    segment_ids: ids,
    user_ids: ids,
    platforms: z.array(word).max(50).default([]).describe('In the order of preference; default: any'),
  }),
  run: ({ filter, segment_ids, user_ids, ...more }, _read, ask) => {
    const named = { segment_ids, user_ids, ...(filter !== undefined && { filter }) };
    return ask(`${BROADCASTS}?dry_run=true`, { ...more, audience: named });
  },
});

export const readTools: readonly ReadTool[] = [
  searchConversations,
  readConversation,
  findContacts,
  platformHealth,
  traceDelivery,
  deadLetters,
  planBroadcast,
];
