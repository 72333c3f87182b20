export interface AcceptedInvitation {
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
  readonly username: string;
  readonly displayName: string;
}

/** Invitations, by the hash of their token. */
export interface InvitationStore {
  isOpen(tokenHash: Buffer): Promise<boolean>;
  /** Resolves with the user's id. Raises `not_found`, `conflict` (`already_exists`). Of concurrent calls exactly one succeeds. */
  accept(accepted: AcceptedInvitation): Promise<string>;
}
