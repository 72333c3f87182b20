import type {
  CapabilitiesRecord,
  ConnectionRecord,
  ConnectionTestRecord,
  PlatformRecord,
  ProtocolRecord,
} from '../../../core/platforms/record.js';
import { dated, ids, now, soon } from './ids.js';

const mark = { bold: 'native', italic: 'native', code: 'native', link: 'native' } as const;

export const capabilities: CapabilitiesRecord = {
  v: 1,
  hash: '5f2b6c0e',
  text: { max: 4_096, unit: 'utf16', formats: mark },
  ops: {
    edit: 'native',
    delete: 'native',
    react: 'native',
    reply: 'native',
    thread: 'native',
    typing: 'native',
    read_out: 'dropped',
    read_in: 'unknown',
    delivered: 'unknown',
    buttons: 'dropped',
    schedule: 'emulated',
    history: 'rejected',
    membership: 'native',
    persona_override: 'emulated',
    location: 'native',
    live_location: 'native',
    calls: 'rejected',
    initiate: 'rejected',
  },
  media: {
    image: {
      mime: { 'image/jpeg': 'native', 'image/png': 'native' },
      max_bytes: 10_485_760,
      caption_max: 1_024,
      per_message: 10,
    },
  },
  edit: { max_age_s: null, max_count: null, media: true },
  delete: { max_age_s: 172_800, others: false },
  react: { per_user: 1, allowed: null },
};

export const protocol: ProtocolRecord = {
  id: 'telegram',
  name: 'Telegram',
  version: '1.0.0',
  contract_version: 2,
  ingress: ['poll', 'webhook'],
  capabilities,
  rate: { per_second: 30, per_chat_per_second: 1 },
  config_schema: {
    credentials: [
      {
        name: 'bot_token',
        type: 'secret',
        required: true,
        default: null,
        enum: null,
        description: 'As BotFather gives it.',
        title: null,
        enum_titles: null,
      },
    ],
    settings: [
      {
        name: 'unlinked_chats',
        type: 'string',
        required: false,
        default: 'create',
        enum: ['create', 'ignore'],
        description: null,
        title: 'When a person writes in a chat that is not linked',
        enum_titles: { create: 'Create a conversation', ignore: 'Ignore the message' },
      },
    ],
  },
};

const identity = { external_id: '7000000001', handle: 'sofa_shop_bot', name: 'Sofa shop' };

export const connection: ConnectionRecord = {
  id: ids.connection,
  platform: 'telegram',
  name: 'Support bot',
  enabled: true,
  status: 'connected',
  health: { code: 'ok', message: 'Connected.', fix: null, since: soon },
  gaps: [],
  settings: {
    api_base_url: 'https://api.telegram.org',
    ingress: 'poll',
    uncertain_policy: 'hold',
    unlinked_chats: 'create',
  },
  credentials_set: ['bot_token', 'webhook_secret'],
  webhook_url: `https://bridge.example/hooks/telegram/${ids.connection}`,
  counters: { received: 12, sent: 9, failed: 0, uncertain: 0 },
  created_by: ids.owner,
  identity,
  last_error: null,
  last_event_at: now,
  ...dated,
};

export const platform: PlatformRecord = {
  id: 'telegram',
  name: 'Telegram',
  version: '1.0.0',
  status: 'connected',
  connections: [connection],
};

export const connectionTest: ConnectionTestRecord = {
  ok: true,
  latency_ms: 84,
  checks: [{ name: 'credentials', ok: true, message: 'Telegram accepts the token.' }],
  identity,
  error: null,
};
