import { AppError } from '../common/errors.js';
import type { SignInTry } from './ports.js';

/**
 * Compares a password or a code as one of the tries that there are. The try counts as failed unless `compare` finds
 * something. Raises `rate_limit_exceeded` when all tries are used up.
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
    // The password was not compared: too many others sign in, or the database is away, where the try ends by time.
    await attempt.giveBack().catch(() => undefined);
    throw cause;
  });
  if (found !== undefined) await attempt.giveBack();
  return found;
}
