import type {
  ConversationCapabilitiesRecord,
  ConversationRecord,
  LinkRecord,
  ParticipantRecord,
} from '../../../core/conversations/record.js';
import type { AttachmentRecord } from '../../../core/media/attachment.js';
import type { DeliveryRecord, MessageRecord } from '../../../core/messages/record.js';
import type { MessageTraceRecord } from '../../../core/messages/trace.js';
import { traceOf } from '../../../core/messages/trace.js';
import { dated, ids, now, soon } from './ids.js';
import { capabilities } from './platforms.js';

export const attachment: AttachmentRecord = {
  id: ids.attachment,
  type: 'image',
  url: 'https://bridge.example/media/AZt22qgAcACAAAAAAAAA8QAAAABpV7kA',
  source_url: null,
  thumbnail_url: null,
  state: 'ready',
  metadata: {},
  name: 'plan.png',
  mime_type: 'image/png',
  alt_text: 'The plan of the house',
  size: 48_213,
  width: 1_280,
  height: 720,
  duration_ms: null,
  latitude: null,
  longitude: null,
};

export const delivery: DeliveryRecord = {
  id: ids.delivery,
  message_id: ids.message,
  conversation_id: ids.conversation,
  link_id: ids.link,
  connection_id: ids.connection,
  platform: 'telegram',
  external_chat_id: '884422',
  status: 'sent',
  parts: [{ index: 0, kind: 'text', status: 'sent', external_id: '512', sent_at: soon }],
  attempt_count: 1,
  revision: 1,
  degradations: [],
  error: null,
  resolution: null,
  superseded_by: null,
  next_attempt_at: null,
  expires_at: '2026-01-02T00:00:00.000Z',
  uncertain_at: null,
  sent_at: soon,
  delivered_at: null,
  read_at: null,
  failed_at: null,
  created_at: now,
  updated_at: soon,
};

export const message: MessageRecord = {
  id: ids.message,
  conversation_id: ids.conversation,
  conversation_number: 1,
  sender_id: ids.owner,
  text: 'Hello',
  content_type: 'text',
  attachments: [],
  read_by: [],
  direction: 'outbound',
  status: 'sent',
  platform: 'telegram',
  category: 'conversational',
  reply_to_id: null,
  thread_id: null,
  thread_count: 0,
  revision: 1,
  reactions: [{ emoji: '👍', count: 1, user_ids: [ids.contact] }],
  deliveries: [delivery],
  origin: null,
  error: null,
  broadcast_id: null,
  send_at: null,
  expires_at: '2026-01-02T00:00:00.000Z',
  sent_at: soon,
  delivered_at: null,
  failed_at: null,
  edited_at: null,
  metadata: {},
  created_at: now,
  updated_at: soon,
};

export const link: LinkRecord = {
  id: ids.link,
  conversation_id: ids.conversation,
  connection_id: ids.connection,
  platform: 'telegram',
  external_id: '884422',
  external_thread_id: null,
  title: 'Ada',
  direction: 'two_way',
  attribution: 'prefix',
  status: 'active',
  last_inbound_at: null,
  last_outbound_at: soon,
  ...dated,
};

const present = { joined_at: now, left_at: null, last_read_at: null };
export const participant: ParticipantRecord = { user_id: ids.contact, role: 'customer', ...present };

export const conversation: ConversationRecord = {
  id: ids.conversation,
  number: 1,
  type: 'direct',
  title: 'Delivery of the sofa',
  team: null,
  status: 'open',
  platform: 'telegram',
  platforms: ['telegram'],
  participants: [{ user_id: ids.owner, role: 'owner', ...present }, participant],
  assignee_id: null,
  snoozed_until: null,
  labels: ['delivery'],
  priority: 'none',
  unread_count: 0,
  last_message: { id: ids.message, text: 'Hello', sender_id: ids.owner, created_at: now },
  links: [link],
  created_by: ids.owner,
  last_message_at: now,
  closed_at: null,
  metadata: {},
  created_at: now,
  updated_at: soon,
};

export const conversationCapabilities: ConversationCapabilitiesRecord = {
  conversation_id: ids.conversation,
  links: [{ link_id: ids.link, connection_id: ids.connection, platform: 'telegram', capabilities }],
  combined: capabilities,
};

const ofDelivery = { delivery_id: ids.delivery, platform: 'telegram' } as const;

export const messageTrace: MessageTraceRecord = traceOf(ids.message, [
  {
    at: new Date(now),
    type: 'message_accepted',
    detail: { direction: 'outbound', platform: 'telegram', user_id: ids.owner, revision: 1 },
  },
  {
    at: new Date(now),
    type: 'delivery_created',
    detail: {
      ...ofDelivery,
      connection_id: ids.connection,
      link_id: ids.link,
      external_id: '884422',
    },
  },
  {
    at: new Date(soon),
    type: 'part_sent',
    detail: { ...ofDelivery, part: 0, external_id: '512', status: 'sent' },
  },
  { at: new Date(soon), type: 'delivery_sent', detail: { ...ofDelivery, revision: 1 } },
]);
