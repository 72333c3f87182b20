import { newId } from '../../../core/common/new-id.js';
import type { ConversationRecord } from '../../../core/conversations/record.js';
import type { Management } from '../../apply/management.js';
import type { Target } from '../workspace.js';
import type { Additions, PlannedAccount } from './accounts.js';
import { type Chat, chatOf } from './chats.js';
import type { Channel, Configuration, Gateway } from './configuration.js';

/** Maximum number of links of a conversation. */
const MAX_LINKS = 20;
/** Metadata field with the gateway that a conversation was created for. */
const KEY = 'matterbridge_gateway';

/** A planned link. */
interface PlannedLink {
  readonly channel: Channel;
  readonly status: 'create' | 'unchanged' | 'skipped';
  readonly reason: string | undefined;
  readonly account: PlannedAccount | undefined;
  readonly chat: Exclude<Chat, { problem: string }> | undefined;
}

/** The plan for a gateway. */
export interface PlannedConversation {
  readonly gateway: Gateway;
  readonly existing: ConversationRecord | undefined;
  readonly status: 'create' | 'change' | 'unchanged' | 'skipped';
  readonly reason: string | undefined;
  readonly links: readonly PlannedLink[];
}

export interface ConversationPlanning {
  readonly management: Management;
  readonly target: Target;
  readonly additions: Additions;
  readonly accounts: readonly PlannedAccount[];
  /** Ids of existing connections by platform and name. */
  readonly connections: ReadonlyMap<string, string>;
}

/** Plans a conversation for each gateway, and a link for each of its channels. */
export async function planConversations(
  file: Configuration,
  planning: ConversationPlanning,
): Promise<PlannedConversation[]> {
  const taken = new Map<string, string>();
  const planned: PlannedConversation[] = [];
  for (const gateway of file.gateways) planned.push(await plan(gateway, planning, taken));
  return planned;
}

async function plan(
  gateway: Gateway,
  planning: ConversationPlanning,
  taken: Map<string, string>,
): Promise<PlannedConversation> {
  const left = (reason: string, links: readonly PlannedLink[] = []): PlannedConversation => ({
    gateway,
    existing: undefined,
    status: 'skipped',
    reason,
    links,
  });
  if (!gateway.enabled) return left('It is not enabled.');
  const existing = await conversationOf(gateway, planning);
  const links: PlannedLink[] = [];
  for (const channel of gateway.channels)
    links.push(await planLink(channel, { gateway, existing, planning, taken, before: links }));
  const isNew = links.some(({ status }) => status === 'create');
  if (existing !== undefined)
    return { gateway, existing, status: isNew ? 'change' : 'unchanged', reason: undefined, links };
  return isNew
    ? { gateway, existing, status: 'create', reason: undefined, links }
    : left('None of its channels can be linked.', links);
}

async function conversationOf({ key }: Gateway, { management, target }: ConversationPlanning) {
  const { items } = await management.conversationStore.list(
    { workspaceId: target.workspace.id },
    target.caller.userId,
    {
      filter: [{ field: `metadata.${KEY}`, negated: false, values: [{ operator: 'eq', value: key }] }],
      sort: 'created_at',
      order: 'asc',
      limit: 1,
      at: { mode: 'offset', page: 1 },
      count: false,
    },
  );
  return items[0];
}

interface LinkPlanning {
  readonly gateway: Gateway;
  readonly existing: ConversationRecord | undefined;
  readonly planning: ConversationPlanning;
  /** Chats that a gateway of the file already uses, with the name of that gateway. */
  readonly taken: Map<string, string>;
  readonly before: readonly PlannedLink[];
}

async function planLink(channel: Channel, context: LinkPlanning): Promise<PlannedLink> {
  const { planning, gateway, existing, taken, before } = context;
  const account = planning.accounts.find(({ account: { key } }) => key === channel.account);
  const skipped = (reason: string): PlannedLink => ({
    channel,
    status: 'skipped',
    reason,
    account,
    chat: undefined,
  });
  if (account === undefined) return skipped('The file has no such account.');
  if (account.connection === undefined) return skipped('Its account is left out.');
  const { management, additions } = planning;
  const chat = chatOf(channel, account, additions, management.addresses);
  if ('problem' in chat) return skipped(chat.problem);
  const key = JSON.stringify([account.platform, account.name, chat.externalId, chat.threadId]);
  const other = taken.get(key);
  if (other !== undefined) return skipped(`The chat belongs to ${other}, and a chat has one conversation.`);
  taken.set(key, `the gateway ${gateway.key}`);
  const link = await linkOf(account, chat, planning);
  if (link !== undefined)
    return link.conversationId === existing?.id
      ? { channel, status: 'unchanged', reason: undefined, account, chat }
      : skipped(`The chat belongs to conversation ${link.number}, and a chat has one conversation.`);
  const made = before.filter(({ status }) => status === 'create').length;
  if ((existing?.links.length ?? 0) + made >= MAX_LINKS)
    return skipped(`A conversation has at most ${MAX_LINKS} links.`);
  return { channel, status: 'create', reason: undefined, account, chat };
}

async function linkOf(
  { platform, name }: PlannedAccount,
  { externalId, threadId }: Exclude<Chat, { problem: string }>,
  { management, target, connections }: ConversationPlanning,
) {
  const connectionId = connections.get(connectionKey(platform, name));
  if (connectionId === undefined) return undefined;
  return management.chats.find(target.workspace.id, { connectionId, externalId, threadId });
}

export function connectionKey(platform: string, name: string): string {
  return JSON.stringify([platform, name]);
}

/** Creates a conversation with its links in one transaction, or adds the missing links to an existing conversation. */
export async function makeConversation(
  { gateway, existing, links }: PlannedConversation,
  { management, target, connections }: ConversationPlanning,
): Promise<void> {
  const wanted = links.flatMap(({ status, account, chat, channel }) => {
    const id = account && connections.get(connectionKey(account.platform, account.name));
    if (status !== 'create' || id === undefined || chat === undefined) return [];
    return [
      {
        connection_id: id,
        external_id: chat.externalId,
        external_thread_id: chat.threadId,
        title: null,
        direction: channel.direction,
        attribution: chat.attribution,
      },
    ];
  });
  if (wanted.length === 0) return;
  if (existing !== undefined) {
    const scope = { workspaceId: target.workspace.id };
    for (const link of wanted)
      await management.linkStore.add(scope, existing.id, { ...link, id: newId() }, undefined);
    return;
  }
  await management.conversationStore.open({
    id: newId(),
    workspace_id: target.workspace.id,
    creator_id: target.caller.userId,
    type: 'group',
    title: gateway.title,
    team: null,
    platform: null,
    labels: [],
    priority: 'none',
    metadata: { [KEY]: gateway.key },
    participant_ids: [],
    links: wanted,
  });
}
