import type { RecordOf } from './operations.js';

/** The events of webhooks and the stream, with their data. Events that are added to the service later also arrive. */

type Message = RecordOf<'Message'>;
type Conversation = RecordOf<'Conversation'>;
type Call = RecordOf<'Call'>;
type User = RecordOf<'User'>;

interface Ids {
  readonly id: string;
}

/** A record after a change, with the previous values of the changed fields. */
type Changed<T> = T & { readonly previous: Partial<T> };

interface MessageCreated {
  readonly conversation: { readonly id: string; readonly number: number; readonly platform: string | null };
  readonly sender: { readonly id: string; readonly display_name: string; readonly kind: string };
}

interface ReactionChange {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly user_id: string;
  readonly emoji: string;
  readonly platform: string | null;
}

interface Typing {
  readonly conversation_id: string;
  readonly user_id: string;
  readonly platform: string | null;
}

interface ConsentChange {
  readonly user_id: string;
  readonly identities: readonly unknown[];
  readonly categories: readonly string[];
  readonly source: 'keyword' | 'api' | 'platform';
  readonly keyword: string | null;
  readonly at: string;
}

interface WebhookNotice {
  readonly webhook_id: string;
  readonly message: string;
}

type MessageEvents = {
  'message.created': Message & MessageCreated;
  'message.updated': Changed<Message>;
  'message.deleted': Ids & { conversation_id: string; deleted_at: string; deleted_by: string | null };
  'message.read': Message & { reader: RecordOf<'ReadReceipt'> };
  'message.rerouted': Message & { from_platform: string; to_platform: string };
  'delivery.updated': Changed<RecordOf<'Delivery'>>;
} & Record<'message.sent' | 'message.delivered' | 'message.failed', Message> &
  Record<'delivery.failed' | 'delivery.uncertain', RecordOf<'Delivery'>> &
  Record<'reaction.added' | 'reaction.removed', ReactionChange> &
  Record<'typing.started' | 'typing.stopped', Typing>;

type ConversationEvents = {
  'conversation.created': Conversation;
  'conversation.deleted': Ids & { number: number; deleted_at: string; deleted_by: string | null };
} & Record<
  'conversation.updated' | 'conversation.status_changed' | 'conversation.assigned',
  Changed<Conversation>
> &
  Record<
    'conversation.participant_added' | 'conversation.participant_removed',
    Conversation & { user_id: string }
  > &
  Record<
    'conversation.link_added' | 'conversation.link_removed',
    Conversation & { link: RecordOf<'Link'> }
  > & {
    /** `reason`: why the service paused the link. */
    'conversation.link_updated': Conversation & { link: RecordOf<'Link'>; reason?: 'loop' };
  };

type CallEvents = { 'call.created': Call } & Record<
  'call.ringing' | 'call.answered' | 'call.ended' | 'call.failed',
  Changed<Call>
> &
  Record<
    'call.participant_joined' | 'call.participant_left',
    Call & { participant: RecordOf<'CallParticipant'> }
  >;

type UserEvents = {
  'user.created': User;
  'user.deleted': Ids & { deleted_at: string };
  'user.merged': Ids & { merged_id: string };
} & Record<'user.updated' | 'user.status_changed' | 'user.presence_changed', Changed<User>> &
  Record<'user.opted_out' | 'user.opted_in', ConsentChange>;

interface PlatformGap {
  readonly gap: RecordOf<'ConnectionGap'>;
}

interface LateWork {
  readonly work: 'queue' | 'webhooks' | 'deliveries';
  readonly oldest_seconds: number;
  readonly message: string;
}

type OtherEvents = {
  'location.updated': RecordOf<'Location'>;
  'platform.gap': RecordOf<'Connection'> & PlatformGap;
  'service.backlog_grown': LateWork;
  'service.backup_failed': { readonly message: string };
} & Record<
  `broadcast.${'scheduled' | 'started' | 'paused' | 'resumed' | 'completed' | 'canceled' | 'failed'}`,
  RecordOf<'Broadcast'>
> &
  Record<`tracking.${'started' | 'stopped' | 'expired'}`, RecordOf<'TrackingSession'>> &
  Record<`platform.${'connected' | 'disconnected' | 'error'}`, RecordOf<'Connection'>> &
  Record<'webhook.test' | 'webhook.disabled', WebhookNotice>;

/** The data of each event, by name. */
export type EventData = MessageEvents & ConversationEvents & CallEvents & UserEvents & OtherEvents;
export type EventName = keyof EventData;

/** The fields of every event in addition to its record. */
interface Sequenced {
  /** Increases with each event about the same record. The higher of two is the later event. */
  readonly sequence: number;
  /** Set if the record was too large and only its ids are included. */
  readonly truncated?: true;
}

/** An event. Its name `event` determines the type of `data`. */
export type TrunklineEvent = {
  [Name in EventName]: {
    /** The same on every webhook, every attempt and the stream. Use it to detect duplicates. */
    readonly id: string;
    readonly event: Name;
    readonly timestamp: string;
    readonly data: EventData[Name] & Sequenced;
  };
}[EventName];

/** The events after the requested one are no longer kept. Read the lists again, then continue with the following events. */
export interface StreamGap {
  readonly event: 'stream.gap';
  readonly data: { readonly requested_id: string | null; readonly oldest_id: string | null };
}

type Category =
  | 'messages'
  | 'calls'
  | 'user_status'
  | 'conversations'
  | 'broadcasts'
  | 'locations'
  | 'platforms';

/** An exact name, a prefix such as `message.*`, a category, or `*`. */
export type EventSelector = EventName | Category | '*' | `${string}.*` | (string & Record<never, never>);
