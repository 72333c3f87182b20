import type { NotificationChoices } from './bodies.js';
import type { NotificationsRecord } from './record.js';

/** The push address of a browser. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** A subscription to store, with the field names of the database. */
export interface NewPushSubscription extends PushTarget {
  readonly session_id: string;
  readonly workspace_id: string;
  readonly user_id: string;
}

/** A push that a worker has leased. */
export interface ClaimedPush {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly session_id: string;
  /** The conversation of a message, or the call. */
  readonly tag: string;
  /** Null for a call. */
  readonly message_id: string | null;
  /** Number of attempts so far. */
  readonly tries: number;
  readonly conversation_number: number;
  /** Name of the contact. Untrusted text. */
  readonly name: string;
  /** Beginning of the message. Null if the member has turned it off. Untrusted text. */
  readonly text: string | null;
  readonly content_type: 'text' | 'markdown';
  readonly call: PushedCall | null;
}

/** A call that rings for the member, or that the member has missed. */
interface PushedCall {
  readonly id: string;
  readonly type: 'voice' | 'video';
  readonly is_missed: boolean;
  /** Seconds for which the call may still ring. */
  readonly seconds: number;
}

/** Notification choices of members, and the browsers that get pushes. */
export interface NotificationStore {
  read(workspaceId: string, userId: string, sessionId: string): Promise<NotificationsRecord>;
  change(workspaceId: string, userId: string, patch: Partial<NotificationChoices>): Promise<void>;
  subscribe(subscription: NewPushSubscription): Promise<void>;
  subscription(workspaceId: string, sessionId: string): Promise<PushTarget | undefined>;
  /** With an endpoint, only if the session still has this one. */
  unsubscribe(sessionId: string, endpoint: string | null): Promise<void>;
}

/** Pushes to send. Rows define which are due. */
export interface PushWork {
  /** Leases pushes. `found` also counts those that were dropped because they must no longer be sent. */
  claim(
    workspaceId: string,
    maxPushes: number,
    leaseSeconds: number,
  ): Promise<{ readonly found: number; readonly pushes: readonly ClaimedPush[] }>;
  /** Ends this push. A newer push that has replaced it stays due. */
  end(push: ClaimedPush): Promise<void>;
  /** Schedules a retry of this push. Does not affect a newer push that has replaced it. */
  postpone(push: ClaimedPush, seconds: number): Promise<void>;
  /** Wakes pushes whose job was lost. */
  sweep(): Promise<void>;
}

/** The key pair of the installation. */
export interface PushKey {
  /** The uncompressed point in base64url, as browsers take it. */
  readonly publicKey: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

export interface PushKeys {
  /** Creates the key pair at its first use. */
  key(): Promise<PushKey>;
}
