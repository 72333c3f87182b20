import { randomUUID } from 'node:crypto';

/** Names this process for as long as it lives. Attempts at platforms carry it, so that a successor knows whose they are. */
export const PROCESS_ID: string = randomUUID();
