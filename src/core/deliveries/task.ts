import type { Button, PartKind, Span } from '../../contract/index.js';
import type { DeliveryErrorRecord } from '../adapters/delivery-error.js';
import type { AttachmentRecord } from '../media/attachment.js';
import type { DeliveryStatus } from '../messages/delivery-states.js';

/** One thing to do at a platform, claimed under a lane's lease. */
export interface DeliveryTask {
  readonly operation: 'send' | 'edit' | 'delete' | 'reconcile';
  readonly connection_id: string;
  readonly delivery_id: string;
  /** Null for lookups, which change nothing at the platform, and for what is leased ahead until its attempt is opened. */
  attempt_id: string | null;
  /** Token of the lease: a result with an old one changes nothing. */
  readonly fence: number;
  /** Tries made of the send, or of the edit or removal that is due, this one included. */
  readonly attempt_count: number;
  readonly expires_at: string;
  /** 0 for messages that a person waits for. Broadcasts come after them. */
  readonly priority: number;
  /** Lookups: when the first try with an unknown outcome began. */
  readonly started_at: string | null;
  /** Lookups: the latest try, whose answer was lost. `closed_at`: when its connection was closed here, if that is known. */
  readonly last_try?: {
    readonly started_at: string;
    readonly revision: number;
    readonly closed_at?: string | null;
  } | null;
  /** Since when its outcome is unknown. */
  readonly uncertain_at?: string | null;
  readonly message: {
    readonly id: string;
    readonly category: 'conversational' | 'transactional' | 'marketing';
    readonly text: string;
    readonly spans: readonly Span[] | null;
    readonly content_type: 'text' | 'markdown';
    readonly attachments: readonly AttachmentRecord[];
    readonly revision: number;
    /** Written by the bridge itself, in answer to a word such as STOP. */
    readonly automatic?: boolean;
    readonly deleted?: boolean;
    /** Only below what the bridge itself asks. */
    readonly buttons?: readonly Button[] | null;
  };
  readonly link: {
    readonly id: string;
    readonly external_id: string;
    readonly external_thread_id: string | null;
    /** Set while the chat must still be opened on the platform. */
    readonly address: string | null;
    readonly attribution: 'prefix' | 'persona' | 'none';
  };
  /** In whose name a relayed message appears; null for messages sent through the interface. */
  readonly sender: { readonly display_name: string; readonly profile_image: string | null } | null;
  /** Of a link to a whole chat: the thread that holds the message, or the one that it answers. */
  readonly external_thread_id?: string | null;
  readonly reply_to_external_id: string | null;
  /** Set when the message belongs to a thread. The root may have no copy in this chat. */
  readonly thread?: { readonly root_external_id: string | null } | null;
  /**
   * Sends and edits: earlier tries that may have created parts without a record of them. `revision`: what all of them
   * wrote; null where they differ.
   */
  readonly in_doubt?: { readonly revision: number | null; readonly started_at: string } | null;
  /** Lookups: messages of the chat that are accounted for and can't be the lost one. */
  readonly known_ids: readonly string[];
  readonly parts: readonly KnownPart[];
}

export interface KnownPart {
  readonly index: number;
  readonly kind: PartKind;
  readonly status: 'pending' | 'sent' | 'uncertain' | 'failed' | 'removed';
  readonly external_id: string | null;
  /** The thread that holds it; null or absent: the chat itself, or as recorded before. */
  readonly thread?: string | null;
}

/** What the plan of a task depends on. */
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

/** A move of the delivery's state, compare-and-set on `from`. */
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

/** What became of an edit or removal; the delivery's state stays. */
export interface DeliveryChange {
  readonly revision?: number;
  /** The platform will not show this revision, nor those before it that it doesn't show yet. */
  readonly given_up?: number;
  readonly removal?: 'done' | 'failed';
  /** Tries of it in vain so far. */
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
