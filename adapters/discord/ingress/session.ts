import { createHash } from 'node:crypto';
import { z } from 'zod';

const schema = z.object({
  sessionId: z.string(),
  /** Empty: a server of somebody's own told none, and the general address is dialled. */
  resumeUrl: z.string(),
  /** Sequence number of the last event that is committed; everything after it will be replayed. */
  sequence: z.number().int(),
  /** Fingerprint of the token that opened it; another token can't resume it. */
  tokenHash: z.string(),
  userId: z.string(),
  applicationId: z.string(),
  /** ISO 8601 UTC: nothing that came before is missing. The login, then when Discord says the latest message up to `sequence` was sent. */
  at: z.string(),
  /** Set while messages since this time are still to be fetched: the session before it could not be resumed. */
  missedSince: z.string().optional(),
});

/** A gateway session as far as it is committed: what a resume needs and who the bot is, which a resume doesn't tell. */
export type Session = z.infer<typeof schema>;

/** Reads a stored session; anything else than one counts as none. */
export function parseSession(text: string | undefined): Session | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Tells one token from another without keeping it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
