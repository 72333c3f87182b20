/** The role of a member in a workspace, from full access to read-only. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** The identity of a user who is signed in with a session. */
export interface SessionIdentity {
  readonly sessionId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly role: Role;
  /** Whether the user is an operator of the whole installation. */
  readonly operator: boolean;
  /**
   * Version of the member's view; changes when the members of their teams change. Null unless the member sees only the
   * conversations of their teams.
   */
  readonly view: string | null;
  /** The token that every state-changing request of the session must contain. */
  readonly csrfToken: string;
}
