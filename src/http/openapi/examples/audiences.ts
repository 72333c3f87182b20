import type {
  BroadcastRecipientRecord,
  BroadcastRecord,
  DryRunRecord,
} from '../../../core/broadcasts/record.js';
import type { SegmentRecord } from '../../../core/segments/record.js';
import type { TemplateRecord } from '../../../core/templates/record.js';
import { dated, ids, now, soon } from './ids.js';

const counts = {
  total: 1,
  pending: 0,
  sent: 1,
  delivered: 0,
  read: 0,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  canceled: 0,
  expired: 0,
};

export const broadcast: BroadcastRecord = {
  id: ids.broadcast,
  name: 'Spring sale',
  category: 'marketing',
  status: 'sending',
  text: 'Hello {{user.display_name}}, sofas are {{discount}} off.',
  template_id: null,
  content_type: 'text',
  attachments: [],
  variables: { discount: '20 %' },
  variants: [],
  platforms: ['telegram', 'sms'],
  audience: { user_ids: [ids.contact], segment_ids: [], recipients: [], filter: null, exclude: null },
  fallback: null,
  throttle: { per_minute: 600 },
  schedule: null,
  counts,
  progress: 1,
  skip_reasons: {},
  eta: null,
  error: null,
  created_by: ids.owner,
  scheduled_at: null,
  started_at: soon,
  completed_at: null,
  canceled_at: null,
  metadata: {},
  created_at: now,
  updated_at: soon,
};

export const broadcastRecipient: BroadcastRecipientRecord = {
  id: ids.recipient,
  broadcast_id: ids.broadcast,
  user_id: ids.contact,
  message_id: ids.message,
  platform: 'telegram',
  address: '884422',
  variant: null,
  status: 'sent',
  attempts: 1,
  skip_reason: null,
  error: null,
  queued_at: now,
  sent_at: soon,
  delivered_at: null,
  read_at: null,
  created_at: now,
  updated_at: soon,
};

export const dryRun: DryRunRecord = {
  recipients: 1,
  skips: { opted_out: 1 },
  parts: 1,
  eta_seconds: 1,
  samples: [
    {
      user_id: ids.contact,
      platform: 'telegram',
      text: 'Hello Ada Lovelace, sofas are 20 % off.',
      parts: 1,
      degradations: [],
    },
  ],
  platforms: [{ platform: 'telegram', recipients: 1, parts: 1, billed: null, degradations: [], too_long: 0 }],
  without_zone: 0,
  warnings: [],
};

export const segment: SegmentRecord = {
  id: ids.segment,
  name: 'Berlin',
  kind: 'static',
  size: 1,
  filter: null,
  metadata: {},
  ...dated,
};

export const template: TemplateRecord = {
  id: ids.template,
  name: 'Appointment',
  text: 'Hello {{user.display_name}}, we come on {{day}}.',
  content_type: 'text',
  attachments: [],
  variables: ['user.display_name', 'day'],
  metadata: {},
  ...dated,
};
