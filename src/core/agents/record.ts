import { z } from 'zod';
import { wireId, wireTime } from '../schema/scalars.js';

/** What an agent did and read under one set of credentials. */
export const agentSessionRecord = z
  .object({
    id: wireId,
    name: z.string().meta({ description: 'Of the API key or the app.' }),
    calls: z.int().meta({ description: 'In the current hour of the session.' }),
    writes: z.int().meta({ description: 'In the current hour of the session.' }),
    conversations_read: z.int().meta({ description: 'In the last 24 hours.' }),
    read_widely: z
      .boolean()
      .meta({ description: 'Whether it read records of no single conversation in the last 24 hours.' }),
    used_at: wireTime,
  })
  .meta({ id: 'AgentSessionRecord' });
export type AgentSessionRecord = z.infer<typeof agentSessionRecord>;
