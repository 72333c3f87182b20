/** What a member may do in a workspace, from all to reading. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who is signed in with a session. */
export interface SessionIdentity {
  readonly sessionId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly role: Role;
  /** Whether the user runs the whole installation. */
  readonly operator: boolean;
  /** Null, unless the member sees only the conversations of their teams. Changes with the members of those. */
  readonly view: string | null;
  /** The token that every changing request of the session must contain. */
  readonly csrfToken: string;
}
