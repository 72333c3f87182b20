/** Passwords as they are stored. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, and is then false. */
  matches(hash: string | undefined, password: string): Promise<boolean>;
}
