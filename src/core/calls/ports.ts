import type { MessageScope } from '../access/message-scope.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { CallRecord } from './record.js';

/** A call to be started, in the names of the database. Exactly one of `conversation`, `participant_ids` and `to` is set. */
export interface NewCall {
  readonly id: string;
  readonly workspace_id: string;
  readonly initiator_id: string;
  readonly type: string;
  readonly ring_timeout: number;
  readonly max_duration: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Id or number of the conversation. */
  readonly conversation?: string | number;
  readonly participant_ids?: readonly string[];
  readonly to?: { readonly platform: string; readonly address: string };
  /** Restricts the call to conversations in which this user takes part. */
  readonly participant_id?: string;
  readonly claim?: ClaimKey;
}

/** One participant of one call, as authorized by a join token. */
export interface CallSeat {
  readonly workspaceId: string;
  readonly environment: 'live' | 'test';
  readonly callId: string;
  readonly userId: string;
}

/** The data of the call page. */
export interface CallInvitation {
  readonly callId: string;
  readonly type: string;
  readonly initiatorId: string;
  /** The users who may join with it, the initiator first. */
  readonly people: readonly { readonly userId: string; readonly name: string }[];
}

export interface Signal {
  readonly type: string;
  readonly to?: string;
  /** The frame for the other participant. Absent for signals to the call itself. */
  readonly frame?: object;
}

/** Calls of a workspace. A scope with a participant hides calls in conversations of other users. */
export interface CallStore {
  /**
   * Starts a call and rings the participants. Finds or creates the conversation if none is named. Raises `not_found`,
   * `conflict` (`active_call` with the id of the live call, `no_connection`).
   */
  create(call: NewCall): Promise<CallRecord>;
  find(scope: MessageScope, id: string): Promise<CallRecord | undefined>;
  list(scope: MessageScope, query: ListQuery): Promise<ListPage<CallRecord>>;
  /** Raises `not_found`, and `conflict` (`invalid_state`) for a call that has ended. */
  end(
    scope: MessageScope,
    id: string,
    actorId: string,
    reason: string | undefined,
    claim?: ClaimKey,
  ): Promise<CallRecord>;
  /**
   * Resolves with whether a socket is open to receive the signal. Raises `not_found` (call, sender, `to`), `conflict`
   * (`invalid_state`).
   */
  signal(scope: MessageScope, id: string, userId: string, signal: Signal): Promise<boolean>;
  /** Makes the transitions that are due. Does nothing if none is due or another process made them already. */
  advance(id: string): Promise<void>;
  /** A batch of calls with a transition that is due. */
  sweep(): Promise<readonly string[]>;
  /** The participant of a live call, if the user may still act in it. */
  findSeat(callId: string, userId: string): Promise<CallSeat | undefined>;
  /** Resolves a link of a call or of one participant, or finds a participant by id. Finds only live calls. */
  findInvitation(
    by: { readonly link: string } | { readonly callId: string; readonly userId: string },
  ): Promise<CallInvitation | undefined>;
}

/** A committed frame for the sockets of some users. */
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
  /** Set for a socket that is limited to one call. */
  readonly callId: string | undefined;
}

/** Records which process holds which sockets, and stores the frames exchanged between processes. */
export interface CallSockets {
  open(processId: string, socket: OpenSocket): Promise<void>;
  close(socketIds: readonly string[]): Promise<void>;
  /** Sends a heartbeat. Resolves with true if this process was considered dead, so that it must open its sockets again. */
  beat(processId: string): Promise<boolean>;
  /** The signals with these ids, in the order of the ids. */
  signals(ids: readonly string[]): Promise<readonly CallSignal[]>;
  /** The signals of the last minute, for a process that may have missed some. */
  recentSignals(): Promise<readonly CallSignal[]>;
}
