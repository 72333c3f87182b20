import type { Caller } from '../access/caller.js';
import type { Authenticate } from '../authentication/authenticate.js';
import type { JoinTokens } from './join-token.js';
import type { CallInvitation, CallSeat, CallStore } from './ports.js';

const TOKEN_PROTOCOL = /^trunkline\.token\.([A-Za-z0-9_-]{1,256})$/;

/** The subprotocols offered in a handshake. */
function offeredProtocols(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Whether a subprotocol carries a join token. */
export function isTokenProtocol(name: string): boolean {
  return TOKEN_PROTOCOL.test(name);
}

/** The right to act as one participant of a call, granted by a join token or a link to the call page. */
export class CallSeats {
  constructor(
    private readonly store: CallStore,
    private readonly tokens: JoinTokens,
  ) {}

  /** Authenticates a handshake by a join token among its subprotocols, in place of an API key. */
  readonly authenticate: Authenticate = async ({ apiKey, header }) => {
    if (apiKey !== undefined) return undefined;
    const names = offeredProtocols(header('sec-websocket-protocol'));
    const token = names.map((name) => TOKEN_PROTOCOL.exec(name)?.[1]).find((found) => found !== undefined);
    const claim = token === undefined ? undefined : this.tokens.read(token);
    const seat = claim && (await this.store.findSeat(claim.callId, claim.userId));
    return seat && callerIn(seat);
  };

  /** Whether a socket that was opened with a join token may stay open. It may stay open after the token has expired. */
  async holds({ callId, userId }: Caller): Promise<boolean> {
    return callId !== undefined && (await this.store.findSeat(callId, userId)) !== undefined;
  }

  /**
   * The participants who may join with a link: a join token, a participant's own link, or the link of the call. Finds
   * only live calls.
   */
  async invitation(
    link: string,
  ): Promise<{ readonly call: CallInvitation; readonly places: Joiner[] } | undefined> {
    const claim = this.tokens.read(link);
    const call = await this.store.findInvitation(claim ?? { link });
    if (call === undefined) return undefined;
    const { callId, people } = call;
    // A page opened with a join token does not get a new one, so that the token keeps its expiry time.
    const tokenOf = (userId: string) => (claim ? link : this.tokens.issue({ callId, userId }).token);
    return { call, places: people.map((person) => ({ ...person, token: tokenOf(person.userId) })) };
  }
}

/** A user who may join, with a join token. */
export interface Joiner {
  readonly userId: string;
  readonly name: string;
  readonly token: string;
}

function callerIn({ workspaceId, environment, callId, userId }: CallSeat): Caller {
  return {
    workspaceId,
    userId,
    environment,
    credential: { kind: 'join_token', id: callId },
    scopes: new Set(['rtc:write', 'calls:write']),
    rateLimit: 0,
    onlyOwnConversations: false,
    callId,
  };
}
