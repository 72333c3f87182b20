export interface AcceptedInvitation {
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
  readonly username: string;
  readonly displayName: string;
}

/** What the links of invitations lead to. */
export interface InvitationStore {
  isOpen(tokenHash: Buffer): Promise<boolean>;
  /** Resolves with the user's id. Raises `not_found`, `conflict` (`already_exists`). Of parallel ones exactly one succeeds. */
  accept(accepted: AcceptedInvitation): Promise<string>;
}
