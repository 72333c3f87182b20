import { z } from 'zod';
import type { EventStreams } from '../../core/events/streams.js';
import { eventReadScopes } from '../../core/webhooks/catalogue.js';
import { webhookPayloadRecord } from '../../core/webhooks/record.js';
import { eventSink } from '../event-sink.js';
import { type Route, route, TakeOver } from '../route.js';

const streamHeaders = {
  'content-type': 'text/event-stream',
  // A proxy that buffers responses would delay events.
  'x-accel-buffering': 'no',
};

const query = z.object({
  events: z
    .string()
    .default('*')
    .describe('Comma-separated list of names, prefixes such as message.*, categories and *'),
  last_event_id: z
    .string()
    .optional()
    .describe('Replays the events after this one; the header Last-Event-ID takes precedence'),
});

export function eventRoutes(streams: EventStreams): Route[] {
  return [
    route({
      method: 'GET',
      path: '/openapi/events/stream',
      summary: 'Follow events as Server-Sent Events; the data of each is a payload as webhooks get it',
      tag: 'Events',
      scopes: { anyOf: eventReadScopes },
      oauth: ['messages.read', 'calls.read', 'user.read'],
      query,
      success: 200,
      response: webhookPayloadRecord,
      produces: 'text/event-stream',
      handler: async ({ caller, query: { events, last_event_id: asked }, header, ...request }) => {
        const { version, address, isStillValid } = request;
        const lastEventId = header('last-event-id') || asked || undefined;
        const stream = await streams.prepare(caller, { events, lastEventId, version, address, isStillValid });
        const start = (response: Parameters<TakeOver['start']>[0]) => stream.start(eventSink(response));
        return new TakeOver(start, streamHeaders, stream.giveUp);
      },
    }),
  ];
}
