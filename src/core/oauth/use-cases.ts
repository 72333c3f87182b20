import type { Caller } from '../access/caller.js';
import { unauthorized } from '../access/failed-authentications.js';
import { invalidField } from '../common/errors.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { AuthorizeApps } from './authorize.js';
import type { ConsentBody } from './bodies.js';
import type { OAuthGrants } from './ports.js';
import type { GrantRecord } from './record.js';

/** Manages the apps that act for a user. */
export class ManageGrants {
  constructor(
    private readonly store: OAuthGrants,
    private readonly authorize: AuthorizeApps,
  ) {}

  /** Answers an app's request with the user's decision. Raises `invalid_request` for an unknown app or redirect URI. */
  async consent(
    { session }: Caller,
    { approve, ...parameters }: ConsentBody,
  ): Promise<{ readonly redirect_to: string }> {
    if (session === undefined) throw unauthorized();
    const sent = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined);
    const requester = await this.authorize.identify(sent, session);
    if ('unknown' in requester) {
      throw invalidField(requester.unknown, 'invalid_value', 'must be registered in this workspace');
    }
    const proposal = this.authorize.propose(requester, sent, session);
    if ('redirectTo' in proposal) return { redirect_to: proposal.redirectTo };
    return { redirect_to: await this.authorize.decide(proposal, session, approve) };
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<GrantRecord>> {
    return this.store.list(caller.workspaceId, caller.userId, query);
  }

  /** Ends a grant. None of its tokens is accepted any more. Raises `not_found`. */
  revoke(caller: Caller, id: string): Promise<void> {
    return this.store.revokeOwn(caller.workspaceId, caller.userId, id);
  }
}
