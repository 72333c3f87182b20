import { ids, later, now, soon } from './ids.js';
import { link } from './messages.js';
import { webhookPayload } from './surroundings.js';

/** How the example of an event differs from the example of its record. */
export interface EventMoment {
  /** Fields in which the record differs from its example. */
  readonly change?: object;
  /** Fields of the event in addition to the record. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const failure = {
  code: 'blocked_by_recipient',
  message: 'The recipient has blocked the bot.',
  permanent: true,
  platform_code: '403',
};
const former = (previous: object): EventMoment => ({ extra: { previous } });
const joined = { user_id: ids.contact, status: 'joined', joined_at: soon, left_at: null };
const deleted = { deleted_at: soon, deleted_by: ids.owner };

const messageMoments: Readonly<Record<string, EventMoment>> = {
  'message.created': {
    change: { status: 'queued', deliveries: [], reactions: [], sent_at: null, updated_at: now },
    extra: {
      conversation: { id: ids.conversation, number: 1, platform: 'telegram' },
      sender: { id: ids.owner, display_name: 'Grace Hopper', kind: 'member' },
    },
  },
  'message.updated': {
    change: { text: 'Hello Ada', revision: 2, edited_at: soon },
    extra: { previous: { text: 'Hello', revision: 1, edited_at: null } },
  },
  'message.deleted': { extra: { id: ids.message, conversation_id: ids.conversation, ...deleted } },
  'message.sent': former({ status: 'queued', sent_at: null }),
  'message.delivered': {
    change: { status: 'delivered', delivered_at: soon },
    extra: { previous: { status: 'sent', delivered_at: null } },
  },
  'message.read': {
    change: { read_by: [{ user_id: ids.contact, read_at: soon, platform: 'telegram' }] },
    extra: { reader: { user_id: ids.contact, read_at: soon, platform: 'telegram' } },
  },
  'message.failed': {
    change: { status: 'failed', sent_at: null, failed_at: soon, error: failure, deliveries: [] },
    extra: { previous: { status: 'queued', failed_at: null, error: null } },
  },
  'message.rerouted': {
    change: { platform: 'sms', broadcast_id: ids.broadcast },
    extra: { from_platform: 'telegram', to_platform: 'sms' },
  },
  'delivery.failed': { change: { status: 'failed', sent_at: null, failed_at: soon, error: failure } },
  'delivery.uncertain': { change: { status: 'uncertain', sent_at: null, uncertain_at: soon } },
  'delivery.updated': former({ status: 'sending', sent_at: null }),
  ...eachOf(['reaction.added', 'reaction.removed'], {
    extra: {
      message_id: ids.message,
      conversation_id: ids.conversation,
      user_id: ids.contact,
      emoji: '👍',
      platform: 'telegram',
    },
  }),
  ...eachOf(['typing.started', 'typing.stopped'], {
    extra: { conversation_id: ids.conversation, user_id: ids.contact, platform: 'telegram' },
  }),
};

const conversationMoments: Readonly<Record<string, EventMoment>> = {
  'conversation.updated': former({ title: null, labels: [] }),
  'conversation.status_changed': {
    change: { status: 'resolved', closed_at: soon },
    extra: { previous: { status: 'open', closed_at: null } },
  },
  'conversation.assigned': {
    change: { assignee_id: ids.owner },
    extra: { previous: { assignee_id: null } },
  },
  'conversation.deleted': { extra: { id: ids.conversation, number: 1, ...deleted } },
  'conversation.participant_added': { extra: { user_id: ids.contact } },
  'conversation.participant_removed': { extra: { user_id: ids.contact } },
  'conversation.link_added': { extra: { link } },
  'conversation.link_removed': { change: { links: [] }, extra: { link } },
  'conversation.link_updated': { extra: { link: { ...link, external_id: '-100884422' } } },
};

const callMoments: Readonly<Record<string, EventMoment>> = {
  'call.ringing': { change: { status: 'ringing' }, extra: { previous: { status: 'initiated' } } },
  'call.answered': {
    change: { status: 'active', answered_at: soon },
    extra: { previous: { status: 'ringing', answered_at: null } },
  },
  'call.ended': {
    change: {
      status: 'ended',
      end_reason: 'completed',
      ended_by: ids.contact,
      ended_at: later,
      join_url: null,
    },
    extra: { previous: { status: 'active', end_reason: null, ended_at: null } },
  },
  'call.failed': {
    change: { status: 'failed', end_reason: 'no_answer', ended_at: soon, join_url: null },
    extra: { previous: { status: 'ringing', end_reason: null, ended_at: null } },
  },
  'call.participant_joined': { extra: { participant: joined } },
  'call.participant_left': { extra: { participant: { ...joined, status: 'left', left_at: later } } },
};

const consent = {
  user_id: ids.contact,
  identities: [{ platform: 'sms', external_id: '+4915112345678' }],
  categories: ['marketing'],
  source: 'keyword',
  at: soon,
};
const userMoments: Readonly<Record<string, EventMoment>> = {
  'user.updated': former({ display_name: 'Ada' }),
  'user.status_changed': { change: { status: 'blocked' }, extra: { previous: { status: 'active' } } },
  'user.presence_changed': { change: { presence: 'online' }, extra: { previous: { presence: 'offline' } } },
  'user.deleted': { extra: { id: ids.contact, deleted_at: soon } },
  'user.merged': { extra: { id: ids.contact, merged_id: ids.duplicate } },
  'user.opted_out': { extra: { ...consent, keyword: 'STOP' } },
  'user.opted_in': { extra: { ...consent, keyword: 'START' } },
};

const nothingYet = { pending: 1, sent: 0 };
const counts = (amounts: object) => ({
  total: 1,
  pending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  canceled: 0,
  expired: 0,
  ...amounts,
});
const broadcastMoments: Readonly<Record<string, EventMoment>> = {
  'broadcast.scheduled': {
    change: {
      status: 'scheduled',
      scheduled_at: later,
      started_at: null,
      progress: 0,
      counts: counts(nothingYet),
    },
    extra: { previous: { status: 'draft', scheduled_at: null } },
  },
  'broadcast.started': {
    change: { progress: 0, counts: counts(nothingYet) },
    extra: { previous: { status: 'scheduled', started_at: null } },
  },
  'broadcast.paused': { change: { status: 'paused' }, extra: { previous: { status: 'sending' } } },
  'broadcast.resumed': former({ status: 'paused' }),
  'broadcast.completed': {
    change: { status: 'completed', completed_at: soon },
    extra: { previous: { status: 'sending', completed_at: null } },
  },
  'broadcast.canceled': {
    change: { status: 'canceled', canceled_at: soon, progress: 1, counts: counts({ canceled: 1 }) },
    extra: { previous: { status: 'sending', canceled_at: null } },
  },
  'broadcast.failed': {
    change: { status: 'failed', started_at: null, progress: 0, counts: counts({ total: 0 }) },
    extra: { previous: { status: 'scheduled' } },
  },
};

const over = (status: string, reason: string): EventMoment => ({
  change: { status, end_reason: reason, ended_at: later },
  extra: { previous: { status: 'active', end_reason: null, ended_at: null } },
});
const broken = (status: string, code: string, message: string): EventMoment => ({
  change: { status, health: { code, message, fix: null, since: soon } },
  extra: { previous: { status: 'connected' } },
});
const gap = { since: now, until: soon, reason: 'Messages of more than seven days ago are not fetched.' };
const otherMoments: Readonly<Record<string, EventMoment>> = {
  'tracking.started': former({ status: 'pending', started_at: null }),
  'tracking.stopped': over('stopped', 'stopped'),
  'tracking.expired': over('expired', 'expired'),
  'platform.connected': former({ status: 'connecting' }),
  'platform.disconnected': broken('degraded', 'transient', 'Telegram cannot be reached.'),
  'platform.error': broken('error', 'bad_credentials', 'Telegram refuses the token.'),
  'platform.gap': { change: { gaps: [gap] }, extra: { gap } },
  'webhook.test': {
    extra: { webhook_id: ids.webhook, message: webhookPayload.data.message },
  },
  'webhook.disabled': {
    extra: { webhook_id: ids.webhook, message: 'All deliveries failed for too long.' },
  },
  'service.backlog_grown': {
    extra: {
      work: 'deliveries',
      oldest_seconds: 75,
      message: 'A delivery to a platform has waited for 75 seconds.',
    },
  },
  'service.backup_failed': {
    extra: { message: 'A backup failed: ENOSPC: no space left on device, write' },
  },
};

const all: Readonly<Record<string, EventMoment>> = {
  ...messageMoments,
  ...conversationMoments,
  ...callMoments,
  ...userMoments,
  ...broadcastMoments,
  ...otherMoments,
};

/** The changes and additions of an event. Empty if the example shows only the record. */
export function eventMoments(event: string): EventMoment {
  return Object.hasOwn(all, event) ? (all[event] ?? {}) : {};
}

function eachOf(events: readonly string[], moment: EventMoment): Record<string, EventMoment> {
  return Object.fromEntries(events.map((event) => [event, moment]));
}
