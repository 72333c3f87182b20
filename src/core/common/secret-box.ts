/** What a sealed value belongs to. It opens at the same place only, so that it can't be moved to another row. */
export interface SecretPlace {
  readonly workspaceId: string;
  readonly rowId: string;
  readonly field: string;
}

export interface Sealer {
  seal(plain: string, place: SecretPlace): Buffer;
}

/** Encryption of credentials at rest. */
export interface SecretBox {
  /**
   * Seals what belongs to a workspace, or to none. Ask for it outside of a transaction, and again for each use: it may need a
   * connection of its own.
   */
  sealer(workspaceId: string | null): Promise<Sealer>;
  /** Raises SecretUnreadableError when the value was altered, moved, or sealed under another master key. */
  open(sealed: Buffer, place: SecretPlace): Promise<string> | string;
}
