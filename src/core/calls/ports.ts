import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { CallRecord } from './record.js';

/** A call to be started, in the names of the database. One of `conversation`, `participant_ids` and `to` is set. */
export interface NewCall {
  readonly id: string;
  readonly workspace_id: string;
  readonly initiator_id: string;
  readonly type: string;
  readonly ring_timeout: number;
  readonly max_duration: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Id or number. */
  readonly conversation?: string | number;
  readonly participant_ids?: readonly string[];
  readonly to?: { readonly platform: string; readonly address: string };
  /** Only a conversation in which this user takes part. */
  readonly participant_id?: string;
  readonly claim?: ClaimKey;
}

/** One participant of one call, as the holder of a token for it. */
export interface CallSeat {
  readonly workspaceId: string;
  readonly environment: 'live' | 'test';
  readonly callId: string;
  readonly userId: string;
}

/** What the call page shows. */
export interface CallInvitation {
  readonly callId: string;
  readonly type: string;
  readonly initiatorId: string;
  /** Who may join by it, the initiator first. */
  readonly people: readonly { readonly userId: string; readonly name: string }[];
}

export interface Signal {
  readonly type: string;
  readonly to?: string;
  /** As the other side gets it; absent for messages to the call itself. */
  readonly frame?: object;
}

/** Calls of a workspace. A scope with a participant hides those of others' conversations. */
export interface CallStore {
  /**
   * Starts a call and lets it ring; finds or creates the conversation where none is named. Raises `not_found`, `conflict`
   * (`active_call` with the id of the live one, `no_connection`).
   */
  create(call: NewCall): Promise<CallRecord>;
  find(scope: MessageScope, id: string): Promise<CallRecord | undefined>;
  list(scope: MessageScope, query: ListQuery): Promise<ListPage<CallRecord>>;
  /** Raises `not_found`, `conflict` (`invalid_state`) for one that is over. */
  end(
    scope: MessageScope,
    id: string,
    actorId: string,
    reason: string | undefined,
    claim?: ClaimKey,
  ): Promise<CallRecord>;
  /** Resolves with whether a socket is there to get it. Raises `not_found` (call, sender, `to`), `conflict` (`invalid_state`). */
  signal(scope: MessageScope, id: string, userId: string, signal: Signal): Promise<boolean>;
  /** Does what is due by time. Nothing when it is not due, or another process was faster. */
  advance(id: string): Promise<void>;
  /** Calls whose time has come, a batch of them. */
  sweep(): Promise<readonly string[]>;
  /** The participant of a live call, if the user may still act. */
  findSeat(callId: string, userId: string): Promise<CallSeat | undefined>;
  /** What a link leads to, that of a call or one participant's own; or a participant by id. Only while the call is live. */
  findInvitation(
    by: { readonly link: string } | { readonly callId: string; readonly userId: string },
  ): Promise<CallInvitation | undefined>;
}

/** A frame that was committed for the sockets of some users. */
export interface CallSignal {
  readonly id: string;
  readonly workspaceId: string;
  readonly callId: string;
  readonly recipients: readonly string[];
  /** JSON text. */
  readonly frame: string;
  readonly createdAt: Date;
}

export interface OpenSocket {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** The only call it is good for. */
  readonly callId: string | undefined;
}

/** Which process holds which sockets, and the frames between them. */
export interface CallSockets {
  open(processId: string, socket: OpenSocket): Promise<void>;
  close(socketIds: readonly string[]): Promise<void>;
  /** A sign of life. True when this process was taken for dead, so that its sockets have to be opened again. */
  beat(processId: string): Promise<boolean>;
  /** Those with these ids, in their order. */
  signals(ids: readonly string[]): Promise<readonly CallSignal[]>;
  /** Those of the last minute, for a process that may have missed some. */
  recentSignals(): Promise<readonly CallSignal[]>;
}
