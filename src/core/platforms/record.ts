import { z } from 'zod';
import { capabilityLevels, capabilityOps } from '../../contract/index.js';
import { deliveryErrorRecord } from '../adapters/delivery-error.js';
import type { ListSpec } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { connectionStatuses } from './states.js';

/** Records of platforms, protocols and connections in the form of the API, version 1.0. */

const level = z.enum(capabilityLevels).meta({ id: 'CapabilityLevel' });
const levels = z.record(z.string(), level);
const limit = z.number().nullable();

export const capabilitiesRecord = z
  .object({
    v: z.literal(1),
    hash: z.string().meta({ description: 'Changes exactly when the content does.' }),
    text: z.object({ max: limit, unit: z.enum(['utf16', 'codepoint', 'byte', 'gsm7']), formats: levels }),
    ops: z.object(Object.fromEntries(capabilityOps.map((op) => [op, level]))),
    media: z.record(
      z.string(),
      z.object({ mime: levels, max_bytes: limit, caption_max: limit, per_message: limit }),
    ),
    edit: z.object({ max_age_s: limit, max_count: limit, media: z.boolean() }).nullable(),
    delete: z.object({ max_age_s: limit, others: z.boolean() }).nullable(),
    react: z.object({ per_user: limit, allowed: z.array(z.string()).nullable() }).nullable(),
  })
  .meta({ id: 'Capabilities' });
export type CapabilitiesRecord = z.infer<typeof capabilitiesRecord>;

const ingress = z.enum(['webhook', 'poll', 'gateway']);

const configField = z
  .object({
    name: z.string(),
    type: z.string().meta({ description: '`secret`, `string`, `integer`, `number` or `boolean`.' }),
    required: z.boolean(),
    default: z.unknown(),
    enum: z.array(z.unknown()).nullable(),
    description: z.string().nullable(),
    title: z.string().nullable().meta({ description: 'Label for a form. Null: show `name`.' }),
    enum_titles: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Label of each value of `enum`, by value. Values without a label are missing.' }),
  })
  .meta({ id: 'ConfigField' });
export type ConfigField = z.infer<typeof configField>;

export const protocolRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    contract_version: z.int(),
    ingress: z.array(ingress),
    capabilities: capabilitiesRecord,
    rate: z.object({ per_second: limit, per_chat_per_second: limit }),
    config_schema: z.object({ credentials: z.array(configField), settings: z.array(configField) }),
  })
  .meta({ id: 'Protocol' });
export type ProtocolRecord = z.infer<typeof protocolRecord>;

export const protocolList: ListSpec = {
  sort: ['name'],
  filter: { id: { type: 'enum' }, name: { type: 'string' } },
};

const healthRecord = z.object({
  code: z.enum([
    'ok',
    'connecting',
    'transient',
    'rate_limited',
    'bad_credentials',
    'misconfigured',
    'disabled',
  ]),
  message: z.string(),
  fix: z.string().nullable(),
  since: wireTime,
});

/** A period whose events may be missing. */
export const gapRecord = z
  .object({ since: wireTime, until: wireTime, reason: z.string() })
  .meta({ id: 'ConnectionGap' });

export const connectionRecord = z
  .object({
    id: wireId,
    platform: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    status: z.enum(connectionStatuses),
    health: healthRecord,
    gaps: z.array(gapRecord).meta({ description: 'The last ten reports of missing events, newest first.' }),
    settings: z.record(z.string(), z.unknown()),
    credentials_set: z.array(z.string()),
    webhook_url: z.string(),
    counters: z.object({ received: z.int(), sent: z.int(), failed: z.int(), uncertain: z.int() }),
    created_by: wireId,
    identity: z
      .object({ external_id: z.string(), handle: z.string().nullable(), name: z.string().nullable() })
      .nullable(),
    last_error: deliveryErrorRecord.nullable(),
    last_event_at: wireTime.nullable(),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Connection' });
export type ConnectionRecord = z.infer<typeof connectionRecord>;

export const connectionList: ListSpec = {
  sort: ['created_at', 'updated_at', 'name'],
  filter: {
    id: { type: 'uuid' },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
    status: { type: 'enum' },
    platform: { type: 'enum' },
    name: { type: 'string' },
  },
};

export const platformRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    status: z.enum(['available', 'connected', 'degraded', 'error']),
    connections: z.array(connectionRecord),
  })
  .meta({ id: 'Platform' });
export type PlatformRecord = z.infer<typeof platformRecord>;

export const platformList: ListSpec = {
  sort: ['name'],
  filter: { id: { type: 'enum' }, status: { type: 'enum' } },
};

export const connectionTestRecord = z
  .object({
    ok: z.boolean(),
    latency_ms: z.int(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() })),
    identity: connectionRecord.shape.identity,
    error: deliveryErrorRecord.nullable(),
  })
  .meta({ id: 'ConnectionTest' });
export type ConnectionTestRecord = z.infer<typeof connectionTestRecord>;
