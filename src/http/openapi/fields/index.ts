import type { JsonSchema } from '../schemas.js';
import { audienceFields, callFields, placeFields, serviceFields } from './audiences.js';
import { messageFields, peopleFields } from './messages.js';

/**
 * Descriptions of request fields. A key is the end of a field's path, such as `recipient.address`. The path begins with the
 * resource, such as `conversations/links.title`. The longest matching key is used.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...messageFields,
  ...peopleFields,
  ...audienceFields,
  ...callFields,
  ...placeFields,
  ...serviceFields,
};

/** The description of a request field. `path` contains the resource and the names of the fields down to this one. */
function descriptionOf(path: readonly string[]): string | undefined {
  const keys = path.slice(0, -1).map((_, index) => path.slice(index).join('.'));
  const key = [...keys, path.at(-1) ?? ''].find((each) => DESCRIPTIONS[each] !== undefined);
  return key === undefined ? undefined : DESCRIPTIONS[key];
}

/** The resource of a path: `/openapi/conversations/{id}/links` is `conversations/links`. */
function resourceOf(path: string): string {
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'));
  return words.filter((word) => word !== 'openapi' && word !== 'api').join('/');
}

/** The description of a query parameter. */
export function parameterDescription(path: string, name: string): JsonSchema {
  const description = descriptionOf([resourceOf(path), name]);
  return description === undefined ? {} : { description };
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  'conversations.id': 'Id or number of the conversation.',
  'participants.user_id': 'Id of the participant.',
  'tracking.id': 'Id of the tracking session.',
  'networks.id': 'Id of the television network.',
  'protocols.id': 'Number of the protocol.',
  'platforms.platform': 'Name of the platform, such as `slack`.',
  'analytics.resource': 'What is counted.',
  'reactions.emoji': 'The emoji, percent-encoded.',
};

/** The description of a path parameter, derived from the segment before it. */
export function pathParameterDescription(path: string, name: string): string {
  const segments = path.split('/');
  const list = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
  const one = list.replace(/ies$/, 'y').replace(/s$/, '');
  return PATH_PARAMETERS[`${list}.${name}`] ?? `Id of the ${one}.`;
}

/** Adds a description to each field of a request schema. A description in the schema itself has priority. */
export function describeFields(
  path: string,
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
): JsonSchema {
  return new FieldDescriptions(components).describe(schema, [resourceOf(path)]);
}

class FieldDescriptions {
  private readonly seen = new Set<string>();

  constructor(private readonly components: Record<string, JsonSchema>) {}

  describe(schema: JsonSchema, path: readonly string[]): JsonSchema {
    this.describeComponent(schema.$ref, path);
    const described: Record<string, unknown> = { ...schema };
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const branches = schema[key] as JsonSchema[] | undefined;
      if (branches) described[key] = branches.map((branch) => this.describe(branch, path));
    }
    if (schema.items) described.items = this.describe(schema.items as JsonSchema, path);
    if (schema.properties) {
      // The dialect of version 2.0 sets fields to undefined that the record does not have.
      const fields = Object.entries(schema.properties as Record<string, JsonSchema | undefined>);
      described.properties = Object.fromEntries(
        fields.flatMap(([name, field]) => (field ? [[name, this.field(field, [...path, name])]] : [])),
      );
    }
    return described;
  }

  private field(schema: JsonSchema, path: readonly string[]): JsonSchema {
    const description = schema.description ?? descriptionOf(path);
    return { ...this.describe(schema, path), ...(description !== undefined && { description }) };
  }

  private describeComponent(ref: unknown, path: readonly string[]): void {
    const name = typeof ref === 'string' ? (ref.split('/').pop() ?? '') : '';
    const component = this.components[name];
    if (component === undefined || this.seen.has(name)) return;
    this.seen.add(name);
    this.components[name] = this.describe(component, path);
  }
}
