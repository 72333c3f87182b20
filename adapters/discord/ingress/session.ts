import { createHash } from 'node:crypto';
import { z } from 'zod';
import { savedJson } from '../../../src/contract/index.js';

const schema = z.object({
  sessionId: z.string(),
  /** Empty if a self-hosted server sent none. Then the general address is dialled. */
  resumeUrl: z.string(),
  /** Sequence number of the last committed event. Discord replays everything after it. */
  sequence: z.number().int(),
  /** Fingerprint of the token that opened the session. Another token cannot resume it. */
  tokenHash: z.string(),
  userId: z.string(),
  applicationId: z.string(),
  /**
   * ISO 8601 UTC. No earlier event is missing. First the time of the login, then the time of the latest message up to
   * `sequence` by Discord's clock.
   */
  at: z.string(),
  /** Set while messages since this time still have to be fetched, because the previous session could not be resumed. */
  missedSince: z.string().optional(),
});

/**
 * The committed state of a gateway session: the data for a resume, and the bot's identity, which RESUMED does not contain.
 */
export type Session = z.infer<typeof schema>;

/** Parses a stored session. Invalid text counts as none. */
export function parseSession(text: string | undefined): Session | undefined {
  return schema.safeParse(savedJson(text)).data;
}

/** Distinguishes tokens without storing them. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
