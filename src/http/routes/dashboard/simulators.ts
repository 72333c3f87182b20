import { z } from 'zod';
import { platformId, text } from '../../../core/schema/scalars.js';
import { phoneActionBody, simulatorFaultBody } from '../../../core/simulators/bodies.js';
import {
  phoneFileRecord,
  phoneScreenRecord,
  platformCallsRecord,
  simulatorRecord,
} from '../../../core/simulators/record.js';
import type { PlaySimulators } from '../../../core/simulators/use-cases.js';
import { type Route, route } from '../../route.js';
import { managing } from './common.js';

const params = z.object({ platform: platformId });
const chatQuery = z.object({ chat_id: text(1, 256) });
const fileQuery = chatQuery.extend({
  message_id: text(1, 256),
  index: z.string().regex(/^\d$/, { error: 'must be a digit' }).default('0').transform(Number),
});

/** People on simulated platforms, for a service that was started with simulators. */
export function simulatorRoutes(play: PlaySimulators): Route[] {
  return [...phoneRoutes(play), ...faultRoutes(play)];
}

function phoneRoutes(play: PlaySimulators): Route[] {
  return [
    route({
      ...managing,
      method: 'GET',
      path: '/simulators',
      summary: 'List the simulated platforms that the service runs with',
      success: 200,
      response: z.object({ data: z.array(simulatorRecord) }),
      handler: ({ caller }) => play.list(caller),
    }),
    route({
      ...managing,
      method: 'GET',
      path: '/simulators/{platform}/screen',
      summary: 'What people see in a chat of a simulated platform',
      params,
      query: chatQuery,
      success: 200,
      response: phoneScreenRecord,
      handler: ({ caller, params: { platform }, query }) => play.screen(caller, platform, query.chat_id),
    }),
    route({
      ...managing,
      method: 'GET',
      path: '/simulators/{platform}/file',
      summary: 'A file in a chat of a simulated platform',
      params,
      query: fileQuery,
      success: 200,
      response: phoneFileRecord,
      handler: ({ caller, params: { platform }, query }) => play.file(caller, platform, query),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/simulators/{platform}/actions',
      summary: 'Act as a person on a simulated platform',
      params,
      body: phoneActionBody,
      success: 204,
      handler: async ({ caller, params: { platform }, body }) => {
        await play.act(caller, platform, body);
        return undefined;
      },
    }),
  ];
}

function faultRoutes(play: PlaySimulators): Route[] {
  return [
    route({
      ...managing,
      method: 'GET',
      path: '/simulators/{platform}/calls',
      summary: 'The newest calls of a simulated platform and the pending faults',
      params,
      success: 200,
      response: platformCallsRecord,
      handler: ({ caller, params: { platform } }) => play.calls(caller, platform),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/simulators/{platform}/faults',
      summary: 'Simulate a fault on a platform',
      params,
      body: simulatorFaultBody,
      success: 200,
      response: platformCallsRecord,
      handler: ({ caller, params: { platform }, body }) => play.setFault(caller, platform, body),
    }),
    route({
      ...managing,
      method: 'DELETE',
      path: '/simulators/{platform}/faults',
      summary: 'Remove the pending faults',
      params,
      success: 204,
      handler: async ({ caller, params: { platform } }) => {
        await play.clearFaults(caller, platform);
        return undefined;
      },
    }),
  ];
}
