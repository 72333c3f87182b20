import type { Button, PartKind, Span } from '../../contract/index.js';
import type { DeliveryErrorRecord } from '../adapters/delivery-error.js';
import type { AttachmentRecord } from '../media/attachment.js';
import type { DeliveryStatus } from '../messages/delivery-states.js';

/** One operation on a platform, claimed with a lease of its lane. */
export interface DeliveryTask {
  readonly operation: 'send' | 'edit' | 'delete' | 'reconcile';
  readonly connection_id: string;
  readonly delivery_id: string;
  /** Null for lookups, which change nothing on the platform, and for sends leased ahead until their attempt is opened. */
  attempt_id: string | null;
  /** Fencing token of the lease. A result with an old token changes nothing. */
  readonly fence: number;
  /** Number of attempts of the send, edit or removal, including this one. */
  readonly attempt_count: number;
  readonly expires_at: string;
  /** 0 for messages that a person waits for. Broadcasts have larger values. */
  readonly priority: number;
  /** Lookups: when the first attempt with an unknown outcome began. */
  readonly started_at: string | null;
  /**
   * Lookups: the latest attempt, whose response was lost. `closed_at`: when its connection was closed on this side, if
   * known.
   */
  readonly last_try?: {
    readonly started_at: string;
    readonly revision: number;
    readonly closed_at?: string | null;
  } | null;
  /** Time since which the outcome is unknown. */
  readonly uncertain_at?: string | null;
  readonly message: {
    readonly id: string;
    readonly category: 'conversational' | 'transactional' | 'marketing';
    readonly text: string;
    readonly spans: readonly Span[] | null;
    readonly content_type: 'text' | 'markdown';
    readonly attachments: readonly AttachmentRecord[];
    readonly revision: number;
    /** Written by the bridge itself, in response to a keyword such as STOP. */
    readonly automatic?: boolean;
    readonly deleted?: boolean;
    /** Only set for questions of the bridge itself. */
    readonly buttons?: readonly Button[] | null;
  };
  readonly link: {
    readonly id: string;
    readonly external_id: string;
    readonly external_thread_id: string | null;
    /** Set if the chat must first be opened on the platform. */
    readonly address: string | null;
    readonly attribution: 'prefix' | 'persona' | 'none';
  };
  /** The displayed author of a relayed message. Null for messages sent through the API. */
  readonly sender: { readonly display_name: string; readonly profile_image: string | null } | null;
  /** For a link to a whole chat: the thread that contains the message, or the thread of the message that it replies to. */
  readonly external_thread_id?: string | null;
  readonly reply_to_external_id: string | null;
  /** Set if the message belongs to a thread. The thread's root may have no copy in this chat. */
  readonly thread?: { readonly root_external_id: string | null } | null;
  /**
   * Sends and edits: earlier attempts that may have created parts without a record. `revision`: the revision that all
   * of them wrote; null if they differ.
   */
  readonly in_doubt?: { readonly revision: number | null; readonly started_at: string } | null;
  /** Lookups: messages of the chat that are known to be other writes and cannot be the lost message. */
  readonly known_ids: readonly string[];
  readonly parts: readonly KnownPart[];
}

export interface KnownPart {
  readonly index: number;
  readonly kind: PartKind;
  readonly status: 'pending' | 'sent' | 'uncertain' | 'failed' | 'removed';
  readonly external_id: string | null;
  /** The thread that contains the part. Null or absent: the chat itself, or the thread that is already recorded. */
  readonly thread?: string | null;
}

/** The fields of a task that its plan depends on. */
export type PlannedTask = Pick<
  DeliveryTask,
  | 'operation'
  | 'message'
  | 'link'
  | 'sender'
  | 'parts'
  | 'reply_to_external_id'
  | 'thread'
  | 'external_thread_id'
>;

/** A transition of the delivery's state. It applies only if the current state is in `from`. */
export interface DeliveryMove {
  readonly from: readonly DeliveryStatus[];
  readonly to: DeliveryStatus;
  readonly attempt_count?: number;
  readonly revision?: number;
  readonly degradations?: readonly string[];
  readonly error?: DeliveryErrorRecord | null;
  readonly next_attempt_at?: string | null;
  readonly resolution?: 'reconciled' | 'retried' | 'manual' | 'timeout';
}

/** The outcome of an edit or removal. The state of the delivery does not change. */
export interface DeliveryChange {
  readonly revision?: number;
  /** The platform will not show this revision, nor earlier revisions that it does not show yet. */
  readonly given_up?: number;
  readonly removal?: 'done' | 'failed';
  /** Number of failed attempts so far. */
  readonly tries?: number;
  readonly degradations?: readonly string[];
  readonly next_attempt_at?: string | null;
}

export type AttemptOutcome = 'sent' | 'retry' | 'failed' | 'blocked' | 'uncertain' | 'waiting';

export interface TaskResult {
  readonly delivery_id: string;
  readonly link_id: string;
  readonly message_id: string;
  readonly attempt_id: string | null;
  readonly fence: number;
  readonly outcome: AttemptOutcome;
  readonly error: DeliveryErrorRecord | null;
  readonly parts: readonly KnownPart[];
  readonly move: DeliveryMove | null;
  readonly change: DeliveryChange | null;
  /** The chat that was opened by writing to an address. */
  readonly chat?: string;
}
