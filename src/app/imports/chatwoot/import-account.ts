import { allOf } from '../../apply/all-of.js';
import type { Management } from '../../apply/management.js';
import { ImportError } from '../problem.js';
import { type Target, targetOf } from '../workspace.js';
import { agentsOf, type Inbox, inboxesOf } from './answers.js';
import { ChatwootClient, type ChatwootOptions } from './client.js';
import { Contacts } from './contacts.js';
import type { ImportContext, MappedInbox } from './context.js';
import { importConversations } from './conversations.js';
import { Identifiers } from './identifiers.js';
import { ImportReport } from './import-report.js';

export interface ChatwootImport extends ChatwootOptions {
  readonly workspace: string | undefined;
  /** Names or ids of inboxes, mapped to names or ids of connections. */
  readonly inboxes: ReadonlyMap<string, string>;
  readonly dryRun: boolean;
  progress(report: ImportReport): void;
}

export interface ChatwootResult {
  readonly workspaceId: string;
  readonly inboxes: readonly {
    readonly id: number;
    readonly name: string;
    readonly channel: string;
    readonly connection: string | null;
  }[];
  readonly report: ImportReport;
}

/**
 * Imports contacts, then conversations with their messages. Sends nothing to a platform. Raises ImportError; records that were
 * imported before the error remain.
 */
export async function importChatwoot(
  management: Management,
  options: ChatwootImport,
): Promise<ChatwootResult> {
  const target = await targetOf(management, options.workspace);
  const client = new ChatwootClient(management.outgoing.fetch, options);
  const inboxes = inboxesOf(await client.get('inboxes'));
  if (inboxes.length === 0) throw new ImportError('The account has no inbox, or there is no such account.');
  const mapped = await mappedInboxes(management, target, inboxes, options.inboxes);
  const report = new ImportReport();
  const context: ImportContext = {
    management,
    target,
    client,
    identifiers: new Identifiers(target.workspace.id, client.base, client.account),
    report,
    dryRun: options.dryRun,
    inboxes: new Map([...mapped].map(([id, { connection }]) => [id, connection])),
    inboxNames: new Map(inboxes.map(({ id, name }) => [id, name])),
    members: await membersOf(management, target),
    agents: agentsOf(await client.get('agents')),
    progress: () => options.progress(report),
  };
  const contacts = new Contacts(context);
  await contacts.importAll();
  await importConversations(context, contacts);
  return {
    workspaceId: target.workspace.id,
    inboxes: inboxes.map(({ id, name, channel_type: channel }) => ({
      id,
      name,
      channel,
      connection: mapped.get(id)?.name ?? null,
    })),
    report,
  };
}

async function membersOf({ memberStore }: Management, { workspace }: Target) {
  const members = await allOf((query) => memberStore.list(workspace.id, query));
  return new Map(
    members.flatMap(({ user }) =>
      user.status === 'active' && user.email ? [[user.email.toLowerCase(), user.id] as const] : [],
    ),
  );
}

async function mappedInboxes(
  { connectionStore }: Management,
  { workspace }: Target,
  inboxes: readonly Inbox[],
  wanted: ReadonlyMap<string, string>,
) {
  const connections = await connectionStore.all(workspace.id);
  const mapped = new Map<number, { readonly connection: MappedInbox; readonly name: string }>();
  for (const [inbox, connection] of wanted) {
    const of = only(
      inboxes,
      inbox,
      ({ id, name }) => name === inbox || String(id) === inbox,
      'inbox of Chatwoot',
    );
    const to = only(
      connections,
      connection,
      ({ id, name }) => name === connection || id === connection,
      'connection of the workspace',
    );
    mapped.set(of.id, { connection: { connectionId: to.id, platform: to.platform }, name: to.name });
  }
  return mapped;
}

function only<T>(all: readonly T[], name: string, isMeant: (each: T) => boolean, what: string): T {
  const found = all.filter(isMeant);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  throw new ImportError(
    found.length === 0
      ? `There is no ${what} with the name or id ${JSON.stringify(name)}.`
      : `Several have the name ${JSON.stringify(name)}: give the id of the ${what}.`,
  );
}
