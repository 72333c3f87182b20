import type { ClaimKey } from '../common/idempotency.js';
import type { FilterClause, ListPage, ListQuery } from '../listing/list-spec.js';
import type { StoredAttachment } from '../media/attachment.js';
import type {
  BroadcastProgress,
  BroadcastRecipientRecord,
  BroadcastRecord,
  PlatformCount,
} from './record.js';
import type { BroadcastStatus } from './states.js';

export interface BroadcastAudience {
  readonly user_ids?: readonly string[];
  readonly segment_ids?: readonly string[];
  readonly recipients?: readonly {
    readonly platform: string;
    readonly address: string;
    readonly variables: Readonly<Record<string, unknown>>;
  }[];
  readonly filter?: string | null;
  readonly exclude?: {
    readonly user_ids?: readonly string[];
    readonly segment_ids?: readonly string[];
  } | null;
}

/** What of an audience is decided by filters. */
export type FilteredAudience = Pick<BroadcastAudience, 'filter' | 'segment_ids' | 'exclude'>;

/** Filters over contacts that an audience has in addition to its lists, and the form of addresses per platform. */
export interface AudienceFilters {
  readonly included: readonly (readonly FilterClause[])[];
  readonly excluded: readonly (readonly FilterClause[])[];
  /** A regular expression by platform; a value that does not match is no address. */
  readonly addressForms: Readonly<Record<string, string>>;
  /** The maximum number of marketing messages that a contact gets in a period; null: no limit. */
  readonly cap: FrequencyCap | null;
}

export interface FrequencyCap {
  readonly count: number;
  readonly seconds: number;
}

/** What of a broadcast a client decides, in the names of the database. */
export interface BroadcastFields {
  readonly name?: string;
  readonly category?: string;
  readonly text?: string | null;
  readonly template_id?: string | null;
  readonly content_type?: string;
  readonly attachments?: readonly StoredAttachment[];
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly variants?: readonly {
    readonly key: string;
    readonly weight: number;
    readonly text: string | null;
    readonly attachments: readonly StoredAttachment[] | null;
  }[];
  readonly platforms?: readonly string[];
  readonly audience?: BroadcastAudience;
  readonly fallback?: unknown;
  readonly throttle?: unknown;
  readonly schedule?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface NewBroadcast extends BroadcastFields {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly draft: boolean;
  readonly claim?: ClaimKey;
}

/** What a dry run found: the frozen counts, and some of the texts. */
export interface RehearsedBroadcast {
  readonly content_type: 'text' | 'markdown';
  readonly skips: Readonly<Record<string, number>>;
  /** Writes per second that the connection of a platform is set to; 0: not limited by us. */
  readonly rates: Readonly<Record<string, number | null>>;
  /** Recipients without a time zone, where each one's own clock decides. */
  readonly without_zone: number;
  readonly samples: readonly { readonly user_id: string; readonly platform: string; readonly text: string }[];
}

/** A text that a dry run found, with how many recipients get it by a platform. */
export interface RehearsedText {
  readonly platform: string;
  readonly text: string;
  readonly times: number;
}

export type BroadcastMove = 'start' | 'pause' | 'resume';

/** Broadcasts as clients manage them. Methods raise `not_found` for what is not in the workspace. */
export interface BroadcastStore {
  /** Raises `not_found` for any unknown user, segment or template: nothing is stored then. */
  create(broadcast: NewBroadcast): Promise<BroadcastRecord>;
  /**
   * Does everything up to the first message and takes it back. Every different text is shown to `see`, in batches: there
   * may be a million.
   */
  rehearse(
    broadcast: NewBroadcast,
    filters: AudienceFilters,
    see: (texts: readonly RehearsedText[], contentType: 'text' | 'markdown') => void,
  ): Promise<RehearsedBroadcast>;
  find(workspaceId: string, id: string): Promise<BroadcastRecord | undefined>;
  findProgress(workspaceId: string, id: string): Promise<BroadcastProgress | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<BroadcastRecord>>;
  listRecipients(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastRecipientRecord>>;
  /** How many recipients have each status on each platform. */
  countByPlatform(workspaceId: string, id: string): Promise<PlatformCount[]>;
  /** Raises `conflict` (`invalid_state`) unless draft or scheduled. */
  change(workspaceId: string, id: string, patch: BroadcastFields): Promise<BroadcastRecord>;
  /** Raises `conflict`: `invalid_state`; `limit_reached` when too many are being sent. */
  move(workspaceId: string, id: string, move: BroadcastMove, claim?: ClaimKey): Promise<BroadcastRecord>;
  /** Failed recipients become pending. Raises `conflict`: `invalid_state`, `nothing_to_retry`, `limit_reached`. */
  retry(workspaceId: string, id: string, claim?: ClaimKey): Promise<BroadcastRecord>;
  /** From now on no chunk begins. Raises `conflict` (`invalid_state`) when final. */
  cancel(workspaceId: string, id: string): Promise<void>;
}

/** What must be known of a broadcast to go on with it. */
export interface BroadcastState {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: BroadcastStatus;
  /** Without the recipients that it names one by one. */
  readonly audience: FilteredAudience;
}

/** The work on broadcasts. Every method is one transaction that leaves a job where work remains. */
export interface BroadcastWork {
  find(id: string): Promise<BroadcastState | undefined>;
  /**
   * Begins to prepare a broadcast that is scheduled and due, or freezes the audience of one that is being prepared and
   * begins to send it when fewer than the limit are being sent. Resolves with its status, or undefined while another process
   * is at it.
   */
  prepare(state: BroadcastState, filters: AudienceFilters): Promise<BroadcastStatus | undefined>;
  /**
   * The next step of a broadcast that is being sent or rests. Puts up to `most` recipients on their way; resolves with
   * their number, and the connections of this process that were given some of them. Workers share the work by row locks.
   */
  sendChunk(
    id: string,
    most: number,
  ): Promise<{ readonly sent: number; readonly connections: readonly string[] }>;
  /** Takes up to `most` queued sends of a broadcast that rests out of their lanes; resolves with their number. */
  hold(id: string, most: number): Promise<number>;
  /**
   * Cancels up to `most` recipients. Resolves with the kind that it canceled: first those with a queued send, then the pending
   * ones, and `none` at the end.
   */
  cancelStep(id: string, most: number): Promise<'queued' | 'pending' | 'none'>;
  /** Gives every broadcast that has something to do a job, for jobs can be lost. */
  requeue(): Promise<void>;
}
