import { type ManageRetention, retentionBody, retentionRecord } from '../../../core/workspaces/retention.js';
import { type Route, route } from '../../route.js';
import { managing } from './common.js';

/** How long the workspace keeps messages. */
export function retentionRoutes(retention: ManageRetention): Route[] {
  return [
    route({
      ...managing,
      method: 'GET',
      path: '/workspace/retention',
      summary: 'Get how long messages are kept',
      success: 200,
      response: retentionRecord,
      handler: ({ caller }) => retention.get(caller),
    }),
    route({
      ...managing,
      method: 'PUT',
      path: '/workspace/retention',
      summary: 'Set how long messages are kept',
      body: retentionBody,
      success: 200,
      response: retentionRecord,
      handler: ({ caller, body }) => retention.set(caller, body),
    }),
  ];
}
