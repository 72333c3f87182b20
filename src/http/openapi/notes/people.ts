import { ids, later, now } from '../examples/ids.js';
import { location } from '../examples/people.js';
import type { OperationNotes } from './note.js';

const me = {
  id: ids.owner,
  username: 'grace',
  display_name: 'Grace Hopper',
  email: 'grace@example.com',
  kind: 'member',
  profile_image: `https://bridge.example/avatars/${ids.owner}.svg`,
  identities: [],
  channel_priority: [],
  phone: null,
};

export const userNotes: OperationNotes = {
  'GET /openapi/users': {},
  'POST /openapi/users': {
    description: 'Creates a contact. Members are invited in the dashboard.',
    request: {
      display_name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+4915112345678',
      identities: [{ platform: 'telegram', external_id: '884422', handle: 'ada' }],
      channel_priority: ['telegram', 'sms'],
      consent: { marketing: 'granted' },
    },
    conflicts: { already_exists: { id: ids.contact } },
  },
  'GET /openapi/users/me': { description: 'The user the credential belongs to.', answer: me },
  'PATCH /openapi/users/me': {
    description: '`email`, `status` and other read-only fields are 400.',
    request: { display_name: 'Grace Hopper', presence: 'busy' },
    answer: { ...me, presence: 'busy' },
    conflicts: { already_exists: { id: ids.contact } },
  },
  'GET /openapi/users/{id}': {},
  'PATCH /openapi/users/{id}': {
    description: 'For contacts; with the caller’s own id the same as for `me`.',
    request: { display_name: 'Ada King', consent: { tracking: 'granted' } },
    answer: {
      display_name: 'Ada King',
      consent: { marketing: 'granted', notification: 'unknown', tracking: 'granted' },
    },
    conflicts: {
      not_a_contact: {},
      already_exists: { id: ids.contact },
      invalid_state: { current: 'deleted' },
    },
  },
  'DELETE /openapi/users/{id}': {
    description: 'Erases a contact. Records keep its id, which is 404 from then on.',
    conflicts: { not_a_contact: {} },
  },
  'POST /openapi/users/{id}/merge': {
    description:
      'Identities, conversations and messages of `source_id` move here, and the source is erased. Its phone, e-mail, locale and time zone fill gaps.',
    request: { source_id: ids.duplicate },
    conflicts: { not_a_contact: {} },
  },
};

const listedLocations =
  '`locations:read` covers all users, `profile:read` alone only the caller; a request for another user is then 403.';

export const locationNotes: OperationNotes = {
  'GET /openapi/locations': {
    description: `${listedLocations} \`from\` is inclusive and \`to\` exclusive; both apply to \`recorded_at\`.`,
    query: { user_id: ids.contact, tracking_session_id: ids.session, from: now, to: later },
  },
  'POST /openapi/locations': {
    description:
      'One point, or up to 100 in `points`; then the answer is a list under `data`. More than one point a second of one user, after a burst of 100, is 429. Locations are kept for 30 days.',
    request: {
      user_id: ids.contact,
      latitude: 52.5163,
      longitude: 13.3777,
      accuracy: 8,
      address: 'Pariser Platz, Berlin',
    },
    answer: location,
    conflicts: { invalid_state: { current: 'stopped' } },
  },
  'GET /openapi/locations/tracking': {
    description: `${listedLocations} Only \`active\` sessions, unless the filter names \`status\`.`,
  },
  'POST /openapi/locations/tracking': {
    description:
      'The session is `pending` until its user consents, unless the user is the caller or has consented before. One live session per user and conversation.',
    request: {
      user_id: ids.contact,
      conversation_id: ids.conversation,
      purpose: 'Delivery of the sofa',
      duration_seconds: 3_600,
    },
    conflicts: { tracking_active: { id: ids.session }, consent_denied: {} },
  },
  'GET /openapi/locations/tracking/{id}': {},
  'POST /openapi/locations/tracking/{id}/stop': {
    answer: { status: 'stopped', end_reason: 'stopped', ended_at: later },
    conflicts: { invalid_state: { current: 'expired' } },
  },
  'POST /openapi/locations/tracking/{id}/consent': {
    description:
      'Records the answer of a contact, or of the caller. `true` for a pending session, `false` for a pending or active one.',
    request: { granted: true },
    conflicts: { not_a_contact: {}, invalid_state: { current: 'stopped' } },
  },
};
