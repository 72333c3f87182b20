import { clock } from '../../../contract/clock.js';
import { AppError } from '../../../core/common/errors.js';
import type { InboxConversation } from '../../../core/contact-imports/inbox.js';
import { type ConversationAnswer, conversationAnswer, dataPayloadOf, numberOf } from './answers.js';
import { metadataOf } from './attributes.js';
import type { Contacts, ImportedContact } from './contacts.js';
import type { ImportContext } from './context.js';
import { Messages } from './messages.js';
import { cut, isoTime, storable } from './text.js';

const MAX_LABELS = 50;
const MAX_LABEL_LENGTH = 256;
const PRIORITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'urgent']);

/** Imports the conversations of an account with their messages, oldest first. */
export async function importConversations(context: ImportContext, contacts: Contacts): Promise<void> {
  const { client, report, progress } = context;
  const messages = new Messages(context, contacts);
  const query = { status: 'all', assignee_type: 'all', sort_by: 'created_at_asc' };
  for await (const page of client.pages('conversations', query, dataPayloadOf))
    for (const each of page) {
      const conversation = conversationAnswer.safeParse(each).data;
      if (conversation === undefined)
        report.skip('conversations', numberOf(each), 'The record has an unknown format.');
      else await importOne(context, contacts, messages, conversation);
      progress();
    }
}

async function importOne(
  context: ImportContext,
  contacts: Contacts,
  messages: Messages,
  answer: ConversationAnswer,
): Promise<void> {
  const { management, report, dryRun } = context;
  const contact = await contacts.of(answer.meta.sender);
  if ('reason' in contact)
    return report.skip('conversations', answer.id, `Its contact is missing. ${contact.reason}`);
  const conversation = conversationOf(context, contact, answer);
  const { status, linked, reason } = await stored(() =>
    management.inboxImports.conversation(conversation, dryRun),
  );
  if (status === 'skipped')
    return report.skip(
      'conversations',
      answer.id,
      reason === 'deleted' ? 'The conversation was deleted here.' : 'Its chat cannot be linked.',
    );
  report.count('conversations', status);
  if (status === 'created') noteLink(context, answer, conversation, linked);
  const inbox = context.inboxes.get(answer.inbox_id);
  await messages.importAll({
    number: answer.id,
    id: conversation.id,
    contact: { number: answer.meta.sender.id, userId: contact.userId },
    platform: linked ? (inbox?.platform ?? null) : null,
  });
}

async function stored(work: () => ReturnType<ImportContext['management']['inboxImports']['conversation']>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: 'skipped' as const, linked: false, reason: 'refused' };
  }
}

function noteLink(
  { report, inboxes }: ImportContext,
  { id, inbox_id: inbox }: ConversationAnswer,
  { link }: InboxConversation,
  linked: boolean,
): void {
  if (linked || !inboxes.has(inbox)) return;
  report.note(
    'conversations',
    id,
    link === null
      ? 'It has no link: the address of its chat is not known.'
      : 'It has no link: another conversation has the chat.',
  );
}

function conversationOf(
  context: ImportContext,
  contact: ImportedContact,
  answer: ConversationAnswer,
): InboxConversation {
  const { target, identifiers, inboxes, inboxNames, report } = context;
  const { id, inbox_id: inbox, meta } = answer;
  const made = answer.created_at ?? 0;
  const own = {
    chatwoot_id: id,
    chatwoot_inbox: cut(storable(inboxNames.get(inbox) ?? String(inbox)), MAX_LABEL_LENGTH),
  };
  const { kept, left } = metadataOf(own, answer.custom_attributes);
  if (left > 0)
    report.note('conversations', id, 'Custom attributes beyond the bounds of metadata are left out.');
  const mapped = inboxes.get(inbox);
  const address = contact.addresses.get(inbox);
  return {
    workspace_id: target.workspace.id,
    id: identifiers.of('conversation', id),
    contact_id: contact.userId,
    assignee_id: assigneeOf(context, answer),
    ...statusOf(answer),
    team:
      meta.team?.name == null || meta.team.name === ''
        ? null
        : cut(storable(meta.team.name), MAX_LABEL_LENGTH),
    labels: labelsOf(context, answer),
    priority: PRIORITIES.has(answer.priority ?? '') ? (answer.priority ?? 'none') : 'none',
    metadata: kept,
    created_at: isoTime(made),
    updated_at: isoTime(Math.max(made, answer.last_activity_at ?? 0)),
    link:
      mapped === undefined || address === undefined
        ? null
        : { connection_id: mapped.connectionId, external_id: address, title: contact.name },
  };
}

function assigneeOf({ members, report }: ImportContext, { id, meta }: ConversationAnswer): string | null {
  const email = meta.assignee?.email?.toLowerCase();
  if (email === undefined) return null;
  const member = members.get(email);
  if (member === undefined)
    report.note('conversations', id, 'Its assignee is not a member of the workspace.');
  return member ?? null;
}

function labelsOf({ report }: ImportContext, { id, labels }: ConversationAnswer): string[] {
  const all = [
    ...new Set((labels ?? []).map((label) => cut(storable(label).trim(), MAX_LABEL_LENGTH))),
  ].filter(Boolean);
  if (all.length > MAX_LABELS) report.note('conversations', id, 'Labels beyond the first 50 are left out.');
  return all.slice(0, MAX_LABELS);
}

/** The status of a conversation. After the end of a snooze, it is open. With a snooze until the next reply, it is pending. */
function statusOf({
  status,
  snoozed_until: until,
}: ConversationAnswer): Pick<InboxConversation, 'status' | 'snoozed_until'> {
  if (status !== 'snoozed')
    return {
      status: status === 'pending' || status === 'resolved' ? status : 'open',
      snoozed_until: null,
    };
  if (until == null) return { status: 'pending', snoozed_until: null };
  const time = typeof until === 'number' ? until * 1_000 : Date.parse(until);
  return time > clock.now()
    ? {
        status: 'snoozed',
        snoozed_until: new Date(Math.min(time, 253_402_300_799_000)).toISOString(),
      }
    : { status: 'open', snoozed_until: null };
}
