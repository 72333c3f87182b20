import { randomUUID } from 'node:crypto';

/**
 * Identifies this process for its lifetime. Attempts at platforms record it, so that a later process knows which process made
 * them.
 */
export const PROCESS_ID: string = randomUUID();
