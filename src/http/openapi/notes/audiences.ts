import { ids, later } from '../examples/ids.js';
import type { OperationNotes } from './note.js';

const started = { status: 'sending' };

export const audienceNotes: OperationNotes = {
  'GET /openapi/broadcasts': {},
  'POST /openapi/broadcasts': {
    description:
      'Exactly one of `text` and `template_id`, and at least one source in `audience`. With `dry_run=true` nothing is stored, and the response is 200 with the expected result. An unknown user, segment or template is 404, and nothing is stored.',
    query: { dry_run: 'false' },
    request: {
      name: 'Spring sale',
      category: 'marketing',
      text: 'Hello {{user.display_name}}, sofas are {{discount}} off.',
      variables: { discount: '20 %' },
      platforms: ['telegram', 'sms'],
      audience: { user_ids: [ids.contact] },
      throttle: { per_minute: 600 },
    },
    answer: { status: 'preparing', started_at: null, progress: 0 },
  },
  'GET /openapi/broadcasts/{id}': {},
  'PATCH /openapi/broadcasts/{id}': {
    description: 'Only while the broadcast is a draft or scheduled.',
    request: { name: 'Summer sale', throttle: null },
    answer: { name: 'Summer sale', throttle: null, status: 'draft', started_at: null, progress: 0 },
    conflicts: { invalid_state: { current: 'sending' } },
  },
  'DELETE /openapi/broadcasts/{id}': {
    description:
      'Cancels the broadcast; the record stays readable. Sends in flight finish; no new send starts later than a second after the response.',
    conflicts: { invalid_state: { current: 'completed' } },
  },
  'GET /openapi/broadcasts/{id}/recipients': {},
  'POST /openapi/broadcasts/{id}/start': {
    description: 'Starts a draft, or a scheduled one before its time.',
    answer: { status: 'preparing', started_at: null, progress: 0 },
    conflicts: { invalid_state: { current: 'sending' } },
  },
  'POST /openapi/broadcasts/{id}/pause': {
    description: 'Queued deliveries are held. No send starts later than a second after the response.',
    answer: { status: 'paused' },
    conflicts: { invalid_state: { current: 'completed' } },
  },
  'POST /openapi/broadcasts/{id}/resume': {
    description: 'Held deliveries continue. At most five broadcasts are sent at once.',
    answer: started,
    conflicts: { invalid_state: { current: 'sending' }, limit_reached: { limit: 5 } },
  },
  'POST /openapi/broadcasts/{id}/retry': {
    description: 'Failed recipients become pending again and keep their message.',
    answer: started,
    conflicts: { invalid_state: { current: 'sending' }, nothing_to_retry: {}, limit_reached: { limit: 5 } },
  },
  'GET /openapi/segments': {},
  'POST /openapi/segments': {
    description:
      'With `filter`, as on the list of users, or with `user_ids`; or as a form with `name` and a CSV `file` of at most 50 MiB, whose header is `user_id` or `platform,address`. Further columns are variables of the recipient.',
    request: { name: 'Berlin', user_ids: [ids.contact] },
    form: { name: 'Berlin', file: `user_id,day\n${ids.contact},Monday\n` },
  },
  'GET /openapi/segments/{id}': {},
  'PATCH /openapi/segments/{id}': {
    request: { name: 'Berlin and around' },
    answer: { name: 'Berlin and around' },
  },
  'DELETE /openapi/segments/{id}': {},
  'GET /openapi/templates': {},
  'POST /openapi/templates': {
    description:
      '`{{ }}` contains the name of a variable of the recipient or the broadcast, `user.display_name` or `user.username`.',
    request: { name: 'Appointment', text: 'Hello {{user.display_name}}, we come on {{day}}.' },
  },
  'GET /openapi/templates/{id}': {},
  'PATCH /openapi/templates/{id}': {
    request: { name: 'Appointment, short', text: 'We come on {{day}}.' },
    answer: {
      name: 'Appointment, short',
      text: 'We come on {{day}}.',
      variables: ['day'],
      updated_at: later,
    },
  },
  'DELETE /openapi/templates/{id}': {},
};
