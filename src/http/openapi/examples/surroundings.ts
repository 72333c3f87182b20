import type { AnalyticsRecord } from '../../../core/analytics/record.js';
import type { TranslationRecord } from '../../../core/extras/translations/record.js';
import type { TvNetworkRecord, TvProgrammeRecord } from '../../../core/extras/tv/record.js';
import type { WebhookDeliveryRecord, WebhookRecord } from '../../../core/webhooks/record.js';
import type { ApiStatus } from '../../routes/status.js';
import { dated, ids, later, now } from './ids.js';

export const webhook: WebhookRecord = {
  id: ids.webhook,
  url: 'https://shop.example/hooks/trunkline',
  events: ['message.created', 'calls'],
  scopes: ['messages:read', 'calls:read'],
  secret: null,
  secret_hint: 'Hh8=',
  api_version: '1.0',
  status: 'enabled',
  headers: { 'X-Tenant': '***' },
  description: 'The shop',
  rate_limit: null,
  failing_since: null,
  last_success_at: null,
  last_failure_at: null,
  created_by: ids.owner,
  created_by_key: ids.key,
  disabled_reason: null,
  metadata: {},
  ...dated,
};

export const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

export const webhookDelivery: WebhookDeliveryRecord = {
  id: ids.webhookDelivery,
  webhook_id: ids.webhook,
  event_id: 'whk_01KDVDNA000123456789ABCDEF',
  event: 'message.created',
  status: 'succeeded',
  next_attempt_at: null,
  attempts: [{ at: now, status_code: 200, duration_ms: 31, error: null }],
  ...dated,
};

/** The payload that receivers and streams get. It is the test vector of the signatures. */
export const webhookPayload = {
  id: 'whk_01KDVDNA000123456789ABCDEF',
  event: 'webhook.test',
  timestamp: now,
  data: { webhook_id: ids.webhook, message: 'Grüße ✓', sequence: 1 },
};

export const analytics: AnalyticsRecord = {
  resource: 'messages',
  from: now,
  to: '2026-01-02T00:00:00.000Z',
  interval: 'day',
  group_by: null,
  totals: { inbound: 4, outbound: 9, internal: 1, failed: 0 },
  series: [{ start: now, group: null, values: { inbound: 4, outbound: 9, internal: 1, failed: 0 } }],
};

export const translation: TranslationRecord = {
  text: 'Hallo',
  detected_language: 'en',
  target_language: 'de',
  provider: 'libretranslate',
  cached: false,
};

export const tvNetwork: TvNetworkRecord = {
  id: 'one.example.uk',
  name: 'One',
  languages: ['en'],
  country: 'GB',
  icon_url: null,
};

export const tvProgramme: TvProgrammeRecord = {
  id: 'one.example.uk:2026-01-01T00:00:00.000Z',
  network_id: 'one.example.uk',
  title: 'News at midnight',
  start_at: now,
  end_at: later,
  categories: ['News'],
  description: null,
  icon_url: null,
};

export const apiStatus: ApiStatus = {
  status: 'operational',
  version: '1.0',
  time: now,
  uptime_seconds: 86_400,
  versions: [
    { version: '1.0', status: 'stable', path: '/v1', sunset_at: null },
    { version: '2.0', status: 'beta', path: '/v2', sunset_at: null },
  ],
  build: { version: '0.1.0', commit: 'd8876e3' },
  components: [{ name: 'database', status: 'operational', latency_ms: 1, message: null }],
};
