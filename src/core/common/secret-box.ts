/**
 * The row and field that an encrypted value belongs to. It can only be decrypted there, so that it cannot be moved to
 * another row.
 */
export interface SecretLocation {
  readonly workspaceId: string;
  readonly rowId: string;
  readonly field: string;
}

export interface Sealer {
  seal(plain: string, place: SecretLocation): Buffer;
}

/** Encryption of credentials at rest. */
export interface SecretBox {
  /**
   * A sealer for values of one workspace, or for values without a workspace. Call it outside of a transaction and once
   * per use, because it may need a connection of its own.
   */
  sealer(workspaceId: string | null): Promise<Sealer>;
  /** Raises SecretUnreadableError if the value was altered, moved, or sealed with another master key. */
  open(sealed: Buffer, place: SecretLocation): Promise<string> | string;
}
