import { now } from '../examples/ids.js';
import { secret } from '../examples/surroundings.js';
import type { OperationNotes } from './note.js';

export const webhookNotes: OperationNotes = {
  'GET /api/webhooks': { description: 'Webhooks whose `scopes` the key has.' },
  'POST /api/webhooks': {
    description:
      '`events` holds names, prefixes such as `message.*`, categories such as `messages`, or `*`; each needs its read scope. `secret` is shown only in this response and in that of a rotation.',
    request: {
      url: 'https://shop.example/hooks/trunkline',
      events: ['message.created', 'calls'],
      headers: { 'X-Tenant': 'shop' },
      description: 'The shop',
    },
    answer: { secret },
    conflicts: { limit_reached: { limit: 50 } },
  },
  'GET /api/webhooks/{id}': {},
  'PATCH /api/webhooks/{id}': {
    description: 'Enabling a disabled webhook sends no events again; `recover` does.',
    request: { status: 'enabled', description: 'The new shop' },
    answer: { description: 'The new shop' },
    conflicts: { invalid_state: { current: 'auto_disabled' } },
  },
  'DELETE /api/webhooks/{id}': {},
  'POST /api/webhooks/{id}/rotate-secret': {
    description: 'The old and the new secret both sign until `overlap_seconds` have passed.',
    request: { overlap_seconds: 3_600 },
    answer: { secret },
  },
  'POST /api/webhooks/{id}/test': {
    description: 'Makes one attempt to deliver `webhook.test`, at once and without a retry.',
    answer: { event: 'webhook.test' },
  },
  'GET /api/webhooks/{id}/deliveries': { description: 'The deliveries of the last 30 days.' },
  'POST /api/webhooks/{id}/deliveries/{delivery_id}/retry': {
    answer: { status: 'pending', next_attempt_at: now },
    conflicts: { invalid_state: { current: 'pending' } },
  },
  'POST /api/webhooks/{id}/recover': {
    description: 'Every dead delivery since then is sent again. `since` is at most 30 days ago.',
    request: { since: now },
    conflicts: { invalid_state: { current: 'disabled' } },
  },
  'GET /openapi/events/stream': {
    description: [
      'Events in the order of their commits, each at least once. A named event needs its read scope; `*`, the default, and categories include the events that the credential may read.',
      'The header `Last-Event-ID`, or `last_event_id`, replays the events after that one, for 24 hours; for an unknown or older id the first event is `stream.gap`. A comment is sent every 15 s. At most 10 streams per credential are open; another one is 429.',
    ].join('\n\n'),
    query: { events: 'messages,call.*', last_event_id: 'whk_01KDVDNA000123456789ABCDEF' },
  },
};
