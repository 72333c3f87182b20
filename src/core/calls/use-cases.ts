import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import { conflict, invalidField, notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { Addresses } from '../platforms/addresses.js';
import { type CreateCallBody, isForwarded, type SignalBody } from './bodies.js';
import type { JoinTokens } from './join-token.js';
import type { CallStore } from './ports.js';
import type { CallRecord, RtcToken } from './record.js';

/** Use cases of calls in the API. */

export class StartCall {
  constructor(
    private readonly store: CallStore,
    private readonly addresses: Addresses,
  ) {}

  /** Raises `invalid_request`, `not_found`, `conflict` (`active_call`, `no_connection`). */
  async execute(
    caller: Caller,
    body: CreateCallBody,
    resourceId: string,
    claim?: ClaimKey,
  ): Promise<CallRecord> {
    const { conversation_id: conversation, participant_ids: participantIds, to, ...fields } = body;
    const { participantId } = scopeOf(caller);
    return this.store.create({
      ...fields,
      id: resourceId,
      workspace_id: caller.workspaceId,
      initiator_id: caller.userId,
      ...(conversation === undefined ? {} : { conversation }),
      ...(participantIds === undefined ? {} : { participant_ids: participantIds }),
      ...(to === undefined ? {} : { to: this.addressOf(to) }),
      ...(participantId === undefined ? {} : { participant_id: participantId }),
      ...(claim === undefined ? {} : { claim }),
    });
  }

  private addressOf({ platform, address }: NonNullable<CreateCallBody['to']>) {
    return { platform, address: this.addresses.ofOne(platform, address, 'to.address') };
  }
}

export class ReadCalls {
  constructor(private readonly store: CallStore) {}

  /** Raises `not_found`. */
  async get(caller: Caller, id: string): Promise<CallRecord> {
    const found = await this.store.find(scopeOf(caller), id);
    if (found === undefined) throw notFound('The call');
    return found;
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<CallRecord>> {
    return this.store.list(scopeOf(caller), query);
  }
}

export class IssueJoinToken {
  constructor(
    private readonly store: CallStore,
    private readonly tokens: JoinTokens,
    private readonly publicUrl: () => string,
  ) {}

  /**
   * A token for the caller or another participant. Raises `not_found`, and `conflict` (`invalid_state`) unless the call
   * is live.
   */
  async execute(caller: Caller, id: string, asked: string | undefined): Promise<RtcToken> {
    const call = await this.#find(caller, id);
    const userId = asked ?? caller.userId;
    const absent = () => notFound('The participant', asked === undefined ? undefined : 'user_id');
    if (!call.participants.some((participant) => participant.user_id === userId)) throw absent();
    requireLive(call);
    // The record keeps users who were removed from the conversation, but they have no seat any more. A call that has
    // just ended has no seats either.
    if ((await this.store.findSeat(id, userId)) === undefined) {
      requireLive(await this.#find(caller, id));
      throw absent();
    }
    const { token, expiresAt } = this.tokens.issue({ callId: id, userId });
    const url = signalingUrl(this.publicUrl());
    return { token, user_id: userId, url, expires_at: expiresAt.toISOString() };
  }

  async #find(caller: Caller, id: string): Promise<CallRecord> {
    const call = await this.store.find(scopeOf(caller), id);
    if (call === undefined) throw notFound('The call');
    return call;
  }
}

function requireLive({ join_url, status }: CallRecord): void {
  if (join_url === null) throw conflict('invalid_state', `The call is ${status}.`, { current: status });
}

/** URL of the WebSocket of an installation. */
export function signalingUrl(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, 'ws')}/v1/openapi/rtc`;
}

/** Maximum size of a frame in either direction. */
export const frameBytes = 65_536;

export class SendSignal {
  constructor(private readonly store: CallStore) {}

  /**
   * Sends a signal on behalf of the caller. Resolves with whether a socket is open to receive it.
   *
   * Raises `not_found` (call, caller not in it, `to`), and `conflict` (`invalid_state`) unless the call is live.
   */
  async execute(caller: Caller, id: string, { type, to, payload }: SignalBody): Promise<boolean> {
    if (caller.callId !== undefined && caller.callId !== id) throw notFound('The call');
    if (!isForwarded(type) || to === undefined) {
      return this.store.signal(scopeOf(caller), id, caller.userId, { type });
    }
    const frame = { type, call_id: id, from: caller.userId, payload };
    if (Buffer.byteLength(JSON.stringify(frame)) > frameBytes) {
      throw invalidField('payload', 'too_large', `Expected a frame of at most ${frameBytes} bytes.`);
    }
    return this.store.signal(scopeOf(caller), id, caller.userId, { type, to, frame });
  }
}
