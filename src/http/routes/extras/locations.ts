import { z } from 'zod';
import {
  recordLocationBody,
  startTrackingBody,
  trackingConsentBody,
} from '../../../core/extras/locations/bodies.js';
import {
  locationBatch,
  locationList,
  locationRecord,
  trackingSessionList,
  trackingSessionRecord,
} from '../../../core/extras/locations/record.js';
import type {
  ReadLocations,
  ReadTracking,
  RecordLocations,
  Track,
} from '../../../core/extras/locations/use-cases.js';
import { timestamp, uuid } from '../../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../../route.js';

export interface LocationUseCases {
  readonly read: ReadLocations;
  readonly record: RecordLocations;
  readonly sessions: ReadTracking;
  readonly track: Track;
}

const idParams = z.object({ id: uuid });
const selection = z.object({
  user_id: uuid.optional(),
  tracking_session_id: uuid.optional(),
  from: timestamp.optional(),
  to: timestamp.optional(),
});

const reading = {
  tag: 'Locations',
  scopes: { anyOf: ['locations:read', 'profile:read'] },
  oauth: null,
} as const;
const writing = { tag: 'Locations', scopes: ['locations:write'], oauth: null } as const;

export function locationRoutes(useCases: LocationUseCases): Route[] {
  return [...pointRoutes(useCases), ...sessionRoutes(useCases), ...trackingRoutes(useCases)];
}

function pointRoutes({ read, record }: LocationUseCases): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/locations',
      summary: 'List locations; with profile:read alone the caller’s own',
      query: selection,
      response: locationRecord,
      list: locationList,
      handler: ({ caller, query, list }) => read.list(caller, query, list),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/locations',
      summary: 'Record where a user is, one point or a batch of points',
      body: recordLocationBody,
      success: 201,
      response: z.union([locationRecord, locationBatch]),
      handler: ({ caller, body, resourceId, claim }) => record.execute(caller, body, resourceId, claim?.name),
    }),
  ];
}

function sessionRoutes({ sessions }: LocationUseCases): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/locations/tracking',
      summary: 'List tracking sessions: active ones, unless the filter names status',
      response: trackingSessionRecord,
      list: trackingSessionList,
      handler: ({ caller, list }) => sessions.list(caller, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/locations/tracking/{id}',
      summary: 'Get one tracking session',
      params: idParams,
      success: 200,
      response: trackingSessionRecord,
      handler: ({ caller, params }) => sessions.get(caller, params.id),
    }),
  ];
}

function trackingRoutes({ track }: LocationUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/locations/tracking',
      summary: 'Start to track a user, or ask for consent to it',
      body: startTrackingBody,
      success: 201,
      response: trackingSessionRecord,
      handler: ({ caller, body, resourceId, claim }) => track.start(caller, body, resourceId, claim?.name),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/locations/tracking/{id}/stop',
      summary: 'Stop a tracking session',
      params: idParams,
      success: 200,
      response: trackingSessionRecord,
      handler: ({ caller, params, claim }) => track.stop(caller, params.id, claim?.name),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/locations/tracking/{id}/consent',
      summary: 'Record whether the user consents to be tracked',
      params: idParams,
      body: trackingConsentBody,
      success: 200,
      response: trackingSessionRecord,
      handler: ({ caller, params, body, claim }) =>
        track.consent(caller, params.id, body.granted, claim?.name),
    }),
  ];
}
