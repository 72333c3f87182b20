import { z } from 'zod';
import { callParticipantRecord } from '../calls/record.js';
import { linkRecord } from '../conversations/record.js';
import { readReceiptRecord } from '../messages/record.js';
import { gapRecord } from '../platforms/record.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** The content of `data` for each event. */

export interface EventData {
  /** When the event happens. */
  readonly when: string;
  /** The schema name of the record at top level. Absent if the event has only `fields`. */
  readonly record?: string;
  /** Fields in addition to those of the record. */
  readonly fields?: z.ZodRawShape;
  /** Whether `previous` contains the previous values of changed fields: always, or only if a field changed. */
  readonly previous?: 'always' | 'sometimes';
}

const shownConversation = z.object({ id: wireId, number: z.int(), platform: z.string().nullable() });
const shownSender = z.object({ id: wireId, display_name: z.string(), kind: z.string() });
const reaction = {
  message_id: wireId,
  conversation_id: wireId,
  user_id: wireId,
  emoji: z.string(),
  platform: z.string().nullable(),
};
const typing = { conversation_id: wireId, user_id: wireId, platform: z.string().nullable() };
const consent = {
  user_id: wireId,
  identities: z.array(z.object({ platform: z.string(), external_id: z.string() })),
  categories: z.array(z.enum(['marketing', 'notification'])),
  source: z.enum(['keyword', 'api', 'platform']),
  keyword: z.string().nullable(),
  at: wireTime,
};
const deleted = { deleted_at: wireTime, deleted_by: wireId.nullable() };
const webhookNotice = { webhook_id: wireId, message: z.string() };
const lateWork = {
  work: z.enum(['queue', 'webhooks', 'deliveries']),
  oldest_seconds: z.int(),
  message: z.string(),
};

const about =
  (record: string, previous?: EventData['previous']) =>
  (when: string, fields?: z.ZodRawShape): EventData => ({
    when,
    record,
    ...(fields !== undefined && { fields }),
    ...(previous !== undefined && { previous }),
  });
const message = about('Message');
const movedMessage = about('Message', 'sometimes');
const changedMessage = about('Message', 'always');
const conversation = about('Conversation');
const changedConversation = about('Conversation', 'always');
const changedCall = about('Call', 'always');
const changedUser = about('User', 'always');
const broadcast = about('Broadcast', 'sometimes');
const session = about('TrackingSession', 'sometimes');
const connection = about('Connection', 'sometimes');

const messageEvents: Readonly<Record<string, EventData>> = {
  'message.created': message('A message was received, written or sent by a broadcast.', {
    conversation: shownConversation,
    sender: shownSender,
  }),
  'message.updated': changedMessage('A message was edited, became due or was canceled.'),
  'message.deleted': {
    when: 'A message was deleted.',
    fields: { id: wireId, conversation_id: wireId, ...deleted },
  },
  'message.sent': movedMessage('Each platform of the message has accepted it.'),
  'message.delivered': movedMessage('A platform reports that the message was delivered.'),
  'message.read': movedMessage('A message was read.', { reader: readReceiptRecord.optional() }),
  'message.failed': movedMessage('A message failed, expired or was blocked.'),
  'message.rerouted': message("A broadcast's fallback sends the message by another platform.", {
    from_platform: z.string(),
    to_platform: z.string(),
  }),
  'delivery.failed': about('Delivery')('A delivery failed, expired or was blocked.'),
  'delivery.uncertain': about('Delivery')('The outcome of a delivery is unknown.'),
  'delivery.updated': about('Delivery', 'always')('A delivery was created or changed its status.'),
  'reaction.added': { when: 'A reaction was added to a message.', fields: reaction },
  'reaction.removed': { when: 'A reaction was removed from a message.', fields: reaction },
  'typing.started': { when: 'A participant types.', fields: typing },
  'typing.stopped': { when: 'A participant stopped typing.', fields: typing },
};

const conversationEvents: Readonly<Record<string, EventData>> = {
  'conversation.created': conversation('A conversation was created, also by a message from a new chat.'),
  'conversation.updated': changedConversation('Fields other than status and assignee changed.'),
  'conversation.status_changed': changedConversation('The status changed.'),
  'conversation.assigned': changedConversation('The assignee changed.'),
  'conversation.deleted': {
    when: 'A conversation was deleted.',
    fields: { id: wireId, number: z.int(), ...deleted },
  },
  'conversation.participant_added': conversation('A user joined.', { user_id: wireId }),
  'conversation.participant_removed': conversation('A user left.', { user_id: wireId }),
  'conversation.link_added': conversation('A chat of a platform was linked.', { link: linkRecord }),
  'conversation.link_removed': conversation('A link was removed.', { link: linkRecord }),
  'conversation.link_updated': conversation('A link changed, for example because its chat moved.', {
    link: linkRecord,
    reason: z.enum(['loop']).optional().describe('Why the service has paused the link.'),
  }),
};

const participant = { participant: callParticipantRecord };
const callEvents: Readonly<Record<string, EventData>> = {
  'call.created': about('Call')('A call was created.'),
  'call.ringing': changedCall('An invitation reached a participant.'),
  'call.answered': changedCall('The first participant other than the initiator joined.'),
  'call.ended': changedCall('The call ended.'),
  'call.failed': changedCall('The call failed.'),
  'call.participant_joined': about('Call')('A participant joined.', participant),
  'call.participant_left': about('Call')('A participant left.', participant),
};

const userEvents: Readonly<Record<string, EventData>> = {
  'user.created': about('User')('A user was created, also by a message from a new contact.'),
  'user.updated': changedUser('Fields other than status and presence changed.'),
  'user.status_changed': changedUser('The status changed.'),
  'user.presence_changed': changedUser('The presence changed.'),
  'user.deleted': { when: 'A user was erased.', fields: { id: wireId, deleted_at: wireTime } },
  'user.merged': {
    when: 'A contact was merged into this one.',
    fields: { id: wireId, merged_id: wireId },
  },
  'user.opted_out': { when: 'A contact opted out of messages of these categories.', fields: consent },
  'user.opted_in': { when: 'A contact opted in to messages of these categories.', fields: consent },
};

const otherEvents: Readonly<Record<string, EventData>> = {
  'broadcast.scheduled': broadcast('A broadcast was scheduled, or its time changed.'),
  'broadcast.started': broadcast('Sending began.'),
  'broadcast.paused': broadcast('It was paused, or quiet hours began.'),
  'broadcast.resumed': broadcast('It continues, or failed recipients are retried.'),
  'broadcast.completed': broadcast('No recipient is pending, or it expired.'),
  'broadcast.canceled': broadcast('It was canceled.'),
  'broadcast.failed': broadcast('The broadcast could not start.'),
  'location.updated': about('Location')('A new location of a user, at most one in five seconds.'),
  'tracking.started': session('Tracking became active.'),
  'tracking.stopped': session('Tracking was stopped, denied or revoked.'),
  'tracking.expired': session('Tracking expired.'),
  'platform.connected': connection('A connection works.'),
  'platform.disconnected': connection('A connection is degraded or disabled.'),
  'platform.error': connection('The credentials or settings of a connection are refused.'),
  'platform.gap': about('Connection')('Events of a platform may be missing and cannot be fetched.', {
    gap: gapRecord,
  }),
  'webhook.test': { when: 'A test of a webhook, sent to it alone.', fields: webhookNotice },
  'webhook.disabled': { when: 'A webhook was disabled by the service.', fields: webhookNotice },
  'service.backlog_grown': {
    when: 'The oldest work is over a minute old, in workspaces of operators.',
    fields: lateWork,
  },
  'service.backup_failed': {
    when: '`trunkline backup` failed, in workspaces of operators.',
    fields: { message: z.string() },
  },
};

const all: Readonly<Record<string, EventData>> = {
  ...messageEvents,
  ...conversationEvents,
  ...callEvents,
  ...userEvents,
  ...otherEvents,
};

/** The content of `data` for an event of the catalogue. */
export function dataOfEvent(name: string): EventData {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found === undefined) throw new Error(`The data of ${name} is not described.`);
  return found;
}
