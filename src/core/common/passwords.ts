/** Hashes and verifies passwords. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes the same time as with one and resolves with false. */
  matches(hash: string | undefined, password: string): Promise<boolean>;
}
