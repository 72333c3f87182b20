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

/** The parts of an audience that are resolved by filters. */
export type FilteredAudience = Pick<BroadcastAudience, 'filter' | 'segment_ids' | 'exclude'>;

/** Filters over contacts that an audience has in addition to its lists, and the address format of each platform. */
export interface AudienceFilters {
  readonly included: readonly (readonly FilterClause[])[];
  readonly excluded: readonly (readonly FilterClause[])[];
  /** A regular expression by platform. A value that does not match is not an address. */
  readonly addressForms: Readonly<Record<string, string>>;
  /** The maximum number of marketing messages that a contact gets in a period; null: no limit. */
  readonly cap: FrequencyCap | null;
}

export interface FrequencyCap {
  readonly count: number;
  readonly seconds: number;
}

/** The fields of a broadcast that clients set, in the names of the database. */
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

/** The result of a dry run: the final counts and some of the texts. */
export interface DryRunResult {
  readonly content_type: 'text' | 'markdown';
  readonly skips: Readonly<Record<string, number>>;
  /** Configured writes per second of the connection of a platform; 0: no limit on our side. */
  readonly rates: Readonly<Record<string, number | null>>;
  /** Recipients without a time zone, if the broadcast uses the local time of each recipient. */
  readonly without_zone: number;
  readonly samples: readonly { readonly user_id: string; readonly platform: string; readonly text: string }[];
}

/** A text found by a dry run, with the number of recipients who would get it on a platform. */
export interface RenderedText {
  readonly platform: string;
  readonly text: string;
  readonly times: number;
}

export type BroadcastMove = 'start' | 'pause' | 'resume';

/** Broadcasts as clients manage them. Methods raise `not_found` for records that are not in the workspace. */
export interface BroadcastStore {
  /** Raises `not_found` for an unknown user, segment or template. Nothing is stored in this case. */
  create(broadcast: NewBroadcast): Promise<BroadcastRecord>;
  /**
   * Runs every step before the first message and rolls it back. Passes each distinct text to `see`, in batches, because
   * there may be a million texts.
   */
  rehearse(
    broadcast: NewBroadcast,
    filters: AudienceFilters,
    see: (texts: readonly RenderedText[], contentType: 'text' | 'markdown') => void,
  ): Promise<DryRunResult>;
  find(workspaceId: string, id: string): Promise<BroadcastRecord | undefined>;
  findProgress(workspaceId: string, id: string): Promise<BroadcastProgress | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<BroadcastRecord>>;
  listRecipients(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastRecipientRecord>>;
  /** The number of recipients by platform and status. */
  countByPlatform(workspaceId: string, id: string): Promise<PlatformCount[]>;
  /** Raises `conflict` (`invalid_state`) unless the broadcast is a draft or scheduled. */
  change(workspaceId: string, id: string, patch: BroadcastFields): Promise<BroadcastRecord>;
  /** Raises `conflict`: `invalid_state`, or `limit_reached` when too many broadcasts are being sent. */
  move(workspaceId: string, id: string, move: BroadcastMove, claim?: ClaimKey): Promise<BroadcastRecord>;
  /** Makes failed recipients pending again. Raises `conflict`: `invalid_state`, `nothing_to_retry`, `limit_reached`. */
  retry(workspaceId: string, id: string, claim?: ClaimKey): Promise<BroadcastRecord>;
  /** Prevents any further chunk from starting. Raises `conflict` (`invalid_state`) when the broadcast is final. */
  cancel(workspaceId: string, id: string): Promise<void>;
}

/** The state of a broadcast that is needed to continue it. */
export interface BroadcastState {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: BroadcastStatus;
  /** Without the recipients that the audience lists individually. */
  readonly audience: FilteredAudience;
}

/** The work on broadcasts. Every method is one transaction that stores a job if work remains. */
export interface BroadcastWork {
  find(id: string): Promise<BroadcastState | undefined>;
  /**
   * Starts preparing a scheduled broadcast that is due. For a broadcast that is being prepared, freezes its audience
   * and starts sending it if fewer broadcasts than the limit are being sent.
   *
   * Resolves with the status, or undefined while another process prepares it.
   */
  prepare(state: BroadcastState, filters: AudienceFilters): Promise<BroadcastStatus | undefined>;
  /**
   * Runs the next step of a broadcast that is being sent, paused or on hold. Enqueues up to `maxRecipients` recipients. Resolves
   * with their number, and with the connections of this process that were given some of them. Workers share the work
   * through row locks.
   */
  sendChunk(
    id: string,
    maxRecipients: number,
  ): Promise<{ readonly sent: number; readonly connections: readonly string[] }>;
  /** Removes up to `maxRecipients` queued sends of a paused or held broadcast from their lanes. Resolves with their number. */
  hold(id: string, maxRecipients: number): Promise<number>;
  /**
   * Cancels up to `batchSize` recipients: first those with a queued send, then the pending ones. Resolves with the kind that
   * it canceled, or with `none` when no recipient is left.
   */
  cancelStep(id: string, batchSize: number): Promise<'queued' | 'pending' | 'none'>;
  /** Stores a job for every broadcast with remaining work, because jobs can be lost. */
  requeue(): Promise<void>;
}
