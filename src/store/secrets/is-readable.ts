import { SecretUnreadableError } from './errors.js';

/** Whether the read succeeds; false when the secret is unreadable. */
export async function isReadable(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}
