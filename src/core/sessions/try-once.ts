import { AppError } from '../common/errors.js';
import type { SignInTry } from './ports.js';

/**
 * Compares a password or a code as one of a limited number of attempts. The attempt counts as failed unless `compare` returns a
 * value. Raises `rate_limit_exceeded` if all attempts are used.
 */
export async function tryOnce<Found>(
  take: () => Promise<SignInTry>,
  compare: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const attempt = await take();
  if (attempt.kind === 'refused') {
    const details = { limit: attempt.limit, reset: Math.ceil(attempt.freeAt) };
    throw new AppError('rate_limit_exceeded', 'Too many failed sign-ins.', details);
  }
  const found = await compare().catch(async (cause: unknown) => {
    // The password was not compared, because too many others sign in or the database is unavailable. In the latter case the
    // attempt expires.
    await attempt.release().catch(() => undefined);
    throw cause;
  });
  if (found !== undefined) await attempt.release();
  return found;
}
