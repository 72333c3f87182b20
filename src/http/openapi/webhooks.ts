import { z } from 'zod';
import type { ApiVersion } from '../../core/versions/api-version.js';
import { type EventDefinition, eventCatalogue } from '../../core/webhooks/catalogue.js';
import { dataOfEvent } from '../../core/webhooks/event-data.js';
import { eventExample } from './examples/events.js';
import type { JsonSchema, SchemaCollection } from './schemas.js';

/** The payloads that registered receivers get, by event. */

/** The name of the component with the schema of an event's payload. */
export function payloadName(event: string): string {
  return `${inCapitals(event)}Event`;
}

/** The schema of the fields that an event has in addition to its record, if any. */
export type FieldsOf = (event: string) => JsonSchema | undefined;

/**
 * Collects the fields that events have in addition to their records. Call it before the components are converted to a dialect.
 */
export function collectEventFields(collection: SchemaCollection): FieldsOf {
  const collected = new Map(
    eventCatalogue.flatMap(({ name }) => {
      const { fields } = dataOfEvent(name);
      return fields === undefined ? [] : [[name, collection.add(z.object(fields), 'response')] as const];
    }),
  );
  return (event) => collected.get(event);
}

/** The schemas of all payloads, by component name. `components` are those of the version. */
export function payloadSchemas(
  components: Readonly<Record<string, JsonSchema>>,
  fieldsOf: FieldsOf,
  version: ApiVersion,
): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = { TruncatedEventData: TRUNCATED };
  const names = new Map<string, string>();
  for (const { name } of eventCatalogue) {
    const data = dataSchema(name, components, fieldsOf);
    const shape = JSON.stringify(data);
    const dataName = names.get(shape) ?? nameOfData(name);
    names.set(shape, dataName);
    schemas[dataName] = data;
    schemas[payloadName(name)] = payloadSchema(name, dataName, version);
  }
  return schemas;
}

/**
 * The name of a data schema. Events with the same data share a schema. If the data is only a record, the schema is named after
 * it.
 */
function nameOfData(event: string): string {
  const { record, fields, previous } = dataOfEvent(event);
  if (record === undefined || fields !== undefined) return `${inCapitals(event)}Data`;
  return { none: `${record}Data`, always: `${record}ChangeData`, sometimes: `${record}StepData` }[
    previous ?? 'none'
  ];
}

/** The `webhooks` section of a description. */
export function describeWebhooks(version: ApiVersion): Record<string, JsonSchema> {
  return Object.fromEntries(eventCatalogue.map((event) => [event.name, { post: receiver(event, version) }]));
}

const SCHEMAS = '#/components/schemas/';
const SEQUENCE = { type: 'integer', description: 'Increases with each event about the same subject.' };
const PREVIOUS = {
  type: 'object',
  additionalProperties: {},
  description: 'Previous values of the changed fields.',
};
const TRUNCATED: JsonSchema = {
  type: 'object',
  description: 'Data over 256 KiB is reduced to its ids.',
  properties: { sequence: SEQUENCE, truncated: { type: 'boolean', const: true } },
  required: ['sequence', 'truncated'],
  additionalProperties: {},
};

function dataSchema(
  event: string,
  components: Readonly<Record<string, JsonSchema>>,
  fieldsOf: FieldsOf,
): JsonSchema {
  const { record, previous } = dataOfEvent(event);
  const base = (record === undefined ? undefined : components[record]) ?? {};
  const fields = fieldsOf(event) ?? {};
  return {
    type: 'object',
    properties: {
      ...(base.properties as object | undefined),
      ...(fields.properties as object | undefined),
      ...(previous !== undefined && { previous: PREVIOUS }),
      sequence: SEQUENCE,
    },
    required: [
      ...((base.required as string[] | undefined) ?? []),
      ...((fields.required as string[] | undefined) ?? []),
      ...(previous === 'always' ? ['previous'] : []),
      'sequence',
    ],
    additionalProperties: false,
  };
}

function payloadSchema(event: string, dataName: string, version: ApiVersion): JsonSchema {
  const name = { type: 'string', const: event };
  return {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'whk_ and a ULID; the same for every attempt and every receiver.' },
      event: name,
      ...(version === '2.0' && { type: name }),
      timestamp: { type: 'string', format: 'date-time' },
      data: { anyOf: [{ $ref: SCHEMAS + dataName }, { $ref: `${SCHEMAS}TruncatedEventData` }] },
    },
    required: ['id', 'event', ...(version === '2.0' ? ['type'] : []), 'timestamp', 'data'],
    additionalProperties: false,
  };
}

function receiver({ name, scope }: EventDefinition, version: ApiVersion): JsonSchema {
  return {
    operationId: `receive${inCapitals(name)}`,
    summary: dataOfEvent(name).when.replace(/\.$/, ''),
    description: `${scope === null ? 'Any event read scope.' : `Needs \`${scope}\`.`} ${REPEATED}`,
    tags: ['Webhooks'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: SCHEMAS + payloadName(name) },
          example: eventExample(name, version),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received' },
      '410': { description: 'The receiver is gone: the webhook is disabled' },
    },
  };
}

const REPEATED =
  'Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.';

function inCapitals(event: string): string {
  return event.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
