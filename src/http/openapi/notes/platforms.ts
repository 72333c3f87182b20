import { soon } from '../examples/ids.js';
import type { OperationNotes } from './note.js';

const connecting = {
  status: 'connecting',
  health: { code: 'connecting', message: 'Connecting.', fix: null, since: soon },
  counters: { received: 0, sent: 0, failed: 0, uncertain: 0 },
  identity: null,
  last_event_at: null,
};

export const platformNotes: OperationNotes = {
  'GET /openapi/protocols': { description: 'What each platform can do, whether connected or not.' },
  'GET /openapi/protocols/{id}': {},
  'GET /openapi/platforms': { description: 'The installed adapters with their connections.' },
  'GET /openapi/platforms/{platform}': {},
  'GET /openapi/platforms/connections': {},
  'GET /openapi/platforms/{platform}/connections': {},
  'POST /openapi/platforms/{platform}/connections': {
    description:
      'Credentials are encrypted and never shown. The response comes before the platform accepts them: `status` and `health` show the progress.',
    request: {
      name: 'Support bot',
      credentials: { bot_token: '7000000001:EXAMPLE-TOKEN-OF-THE-BOT' },
      settings: { api_base_url: 'https://api.telegram.org' },
    },
    answer: connecting,
    conflicts: { limit_reached: { limit: 100 }, test_mode: {} },
  },
  'GET /openapi/platforms/connections/{id}': {},
  'PATCH /openapi/platforms/connections/{id}': {
    description: 'Restarts this connection and no other. `credentials` and `settings` are merged by name.',
    request: { name: 'Sales bot', settings: { unlinked_chats: 'ignore' } },
    answer: {
      name: 'Sales bot',
      settings: {
        api_base_url: 'https://api.telegram.org',
        ingress: 'poll',
        uncertain_policy: 'hold',
        unlinked_chats: 'ignore',
      },
    },
    conflicts: { test_mode: {} },
  },
  'DELETE /openapi/platforms/connections/{id}': {
    description: 'Removes its links and cancels its unsent deliveries.',
    conflicts: { test_mode: {} },
  },
  'POST /openapi/platforms/connections/{id}/test': {
    description: 'A refusal of the platform is a 200 with `ok: false`.',
  },
  'POST /openapi/platforms/connections/{id}/reconnect': {
    answer: connecting,
    conflicts: { invalid_state: { current: 'disabled' } },
  },
  'GET /openapi/analytics/{resource}': {
    description:
      'Includes every bucket from `from` to `to`, even an empty one. By default the last 7 days; at most 400 days, or 31 by hour.',
    query: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', interval: 'day' },
  },
  'POST /openapi/translations': {
    description: 'Translates a text or a message. Without a configured provider it is 503 `no_provider`.',
    request: { text: 'Hello', target_language: 'de' },
  },
  'GET /openapi/tv/networks': { description: 'Empty without a configured source.' },
  'GET /openapi/tv/networks/{id}': {},
  'GET /openapi/tv/networks/{id}/schedule': {
    description: 'By default the next 24 hours; at most 14 days.',
    query: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
  },
  'GET /openapi/status': { description: 'Also 200 while degraded. For any valid credential.' },
};
