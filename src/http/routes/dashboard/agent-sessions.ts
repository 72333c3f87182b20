import { z } from 'zod';
import { agentSessionRecord } from '../../../core/agents/record.js';
import type { AgentSessions } from '../../../core/agents/sessions.js';
import { type Route, route } from '../../route.js';
import { idParams, managing } from './common.js';

/** Sessions of agents with their actions, and their release by a member. */
export function agentSessionRoutes(sessions: AgentSessions): Route[] {
  return [
    route({
      ...managing,
      method: 'GET',
      path: '/agent-sessions',
      summary: 'List the sessions of agents of the last 7 days',
      success: 200,
      response: z.object({ data: z.array(agentSessionRecord) }),
      handler: async ({ caller }) => ({ data: await sessions.list(caller) }),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/agent-sessions/{id}/release',
      summary: 'Clear what the session has read, so that it may write to all conversations again',
      params: idParams,
      success: 200,
      response: agentSessionRecord,
      handler: ({ caller, params }) => sessions.release(caller, params.id),
    }),
  ];
}
