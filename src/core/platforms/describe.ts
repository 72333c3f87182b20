import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AdapterDefinition, Capabilities } from '../../contract/index.js';
import { fieldIsSecret, objectShape } from '../adapters/secret-fields.js';
import { settingsSchema } from './configuration.js';
import type { CapabilitiesRecord, ConfigField, ProtocolRecord } from './record.js';

/** The description of an installed adapter in the form of the API. */
export function protocolOf(definition: AdapterDefinition): ProtocolRecord {
  return {
    id: definition.platform,
    name: definition.displayName,
    version: definition.version,
    contract_version: definition.contractVersion,
    ingress: [...definition.ingress],
    capabilities: capabilitiesOf(definition.capabilities),
    rate: {
      per_second: definition.rate.per_second,
      per_chat_per_second: definition.rate.per_chat_per_second,
    },
    config_schema: {
      credentials: configFields(definition.credentials),
      settings: configFields(settingsSchema(definition)),
    },
  };
}

/** Capabilities with their version, and a hash that changes exactly when they do. */
export function capabilitiesOf(capabilities: Capabilities): CapabilitiesRecord {
  const hash = createHash('sha256').update(canonical(capabilities)).digest('hex').slice(0, 32);
  return { v: 1, hash, ...capabilities } as unknown as CapabilitiesRecord;
}

/** JSON with sorted keys, so that the order of keys in an adapter's table does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}

interface PropertySchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: unknown[];
  readonly description?: string;
  readonly title?: unknown;
  readonly enumTitles?: unknown;
}

/** The fields of an object schema, for a form. */
function configFields(schema: z.ZodType): ConfigField[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, PropertySchema>;
    required?: string[];
  };
  const shape = objectShape(schema);
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    type: fieldIsSecret(shape[name]) ? 'secret' : (property.type ?? 'string'),
    required: json.required?.includes(name) ?? false,
    // The default of a secret is generated for each connection and is never shown.
    default: fieldIsSecret(shape[name]) ? null : (property.default ?? null),
    enum: property.enum ?? null,
    description: property.description ?? null,
    title: typeof property.title === 'string' ? property.title : null,
    enum_titles: titlesOf(property),
  }));
}

/** The labels of the allowed values. An adapter can write anything into the metadata of its schema. */
function titlesOf({ enum: values, enumTitles }: PropertySchema): Record<string, string> | null {
  const titles = new Map<string, unknown>(Object.entries(Object(enumTitles)));
  const named = (values ?? []).flatMap((value) => {
    const title = titles.get(String(value));
    return typeof title === 'string' ? [[String(value), title]] : [];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}
