import type { z } from 'zod';
import type { Expansions } from '../../core/access/authorize.js';
import { objectIn, schemaName } from '../../core/schema/shape.js';
import type { ApiVersion } from '../../core/versions/api-version.js';
import { dialectOf } from '../../core/versions/present.js';
import type { Route } from '../route.js';
import { errorsOf } from './errors.js';
import {
  answerExample,
  foundExample,
  pathExample,
  requestExample,
  streamExample,
} from './examples/exchange.js';
import { describeFields, parameterDescription, pathParameterDescription } from './fields/index.js';
import { noteOf, scopeRuleOf } from './notes/operations.js';
import { answerHeaders, headerRefs, listParametersOf, listSchema, parameterRefs } from './parts.js';
import type { JsonSchema, SchemaCollection } from './schemas.js';

/** The description of one route as an operation. */
export class Operation {
  constructor(
    readonly route: Route,
    private readonly version: ApiVersion,
    private readonly collection: SchemaCollection,
  ) {}

  describe(responses: JsonSchema): JsonSchema {
    const { route } = this;
    const body = this.requestBody();
    const { description } = noteOf(route);
    return {
      operationId: operationId(route),
      summary: route.summary,
      ...(description !== undefined && { description }),
      tags: [route.tag],
      parameters: this.parameters(),
      ...(body && { requestBody: body }),
      security: this.security(),
      ...scopeNote(route),
      responses,
    };
  }

  responses(): JsonSchema {
    const { route, version } = this;
    const replayed = route.method === 'POST' ? headerRefs('Idempotent-Replayed') : {};
    const success = {
      description: DESCRIPTIONS[route.success] ?? 'Success',
      headers: { ...answerHeaders, ...replayed },
    };
    const { found } = route;
    return {
      ...(found && {
        '200': {
          ...success,
          content: {
            'application/json': {
              schema: this.collection.add(found, 'response'),
              ...example(foundExample(route, version)),
            },
          },
        },
      }),
      [route.success]: { ...success, ...this.content() },
      ...errorsOf(route, version),
    };
  }

  /** The body of a success response. */
  private content(): JsonSchema {
    const { route, version } = this;
    if (route.response === undefined || route.success === 204) return {};
    const schema = this.collection.add(route.response, 'response');
    if (route.produces !== undefined) {
      const whole = { type: 'string', contentMediaType: route.produces };
      return { content: { [route.produces]: { schema: whole, ...example(streamExample(version)) } } };
    }
    const shown = route.list === undefined ? schema : listSchema(schema, version);
    return { content: { 'application/json': { schema: shown, ...example(answerExample(route, version)) } } };
  }

  private parameters(): JsonSchema[] {
    const { route, version } = this;
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      description: pathParameterDescription(route.path, name),
      schema: this.fieldSchema(route.params, name),
      ...example(pathExample(route.path, name)),
    }));
    const inQuery = Object.entries(objectIn(route.query)?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: !(schema as z.ZodType).safeParse(undefined).success,
      ...parameterDescription(route.path, name),
      schema: this.collection.add(schema as z.ZodType, 'request'),
      ...example(noteOf(route).query?.[name]),
    }));
    const expand = version === '2.0' && route.expand ? [expandParameter(route.expand)] : [];
    return [
      ...inPath,
      ...inQuery,
      ...(route.list ? listParametersOf(route.list, version) : []),
      ...expand,
      ...(route.produces === 'text/event-stream' ? [LAST_EVENT_ID] : []),
      ...(route.method === 'POST' ? parameterRefs('IdempotencyKey') : []),
      ...parameterRefs('Version', 'ApiVersion', 'AcceptVersion', 'RequestId'),
    ];
  }

  private fieldSchema(schema: z.ZodType | undefined, name: string): JsonSchema {
    const field = objectIn(schema)?.shape[name] as z.ZodType | undefined;
    return field === undefined ? { type: 'string' } : this.collection.add(field, 'request');
  }

  private requestBody(): JsonSchema | undefined {
    const body = this.bodyContent();
    if (body === undefined) return undefined;
    const { components } = this.collection;
    const described = Object.entries(body.content).map(([type, media]) => [
      type,
      { ...media, schema: describeFields(this.route.path, media.schema, components) },
    ]);
    return { required: body.required, content: Object.fromEntries(described) };
  }

  private bodyContent(): { required: boolean; content: Record<string, { schema: JsonSchema }> } | undefined {
    const { body, upload, response } = this.route;
    if (body === undefined && upload === undefined) return undefined;
    const content: Record<string, { schema: JsonSchema }> = {};
    const form = example(noteOf(this.route).form);
    if (upload !== undefined && upload.fields === undefined) {
      return {
        required: true,
        content: { [FORM]: { schema: this.formSchema(upload.streamed.part), ...form } },
      };
    }
    if (body !== undefined) {
      const schema = this.collection.add(body, 'request');
      const dialect = this.version === '2.0' ? dialectOf(schemaName(response)) : undefined;
      content['application/json'] = {
        schema: dialect?.describe?.(schema, 'request') ?? schema,
        ...example(requestExample(this.route, this.version)),
      };
    }
    if (upload !== undefined) content[FORM] = { schema: this.listFormSchema(), ...form };
    return { required: body === undefined || !body.safeParse({}).success, content };
  }

  /** A form with one file and the fields of the body. */
  private formSchema(part: string): JsonSchema {
    const fields = this.route.body === undefined ? {} : this.collection.add(this.route.body, 'request');
    const properties = { [part]: FILE, ...(fields.properties as JsonSchema | undefined) };
    return { type: 'object', properties, required: [part], additionalProperties: false };
  }

  /** A form that may replace the JSON body: its file, and the fields in the note. */
  private listFormSchema(): JsonSchema {
    const names = Object.keys(noteOf(this.route).form ?? {});
    const fields = names.map((name) => [name, name === 'file' ? FILE : { type: 'string' }]);
    return {
      type: 'object',
      properties: Object.fromEntries(fields),
      required: names,
      additionalProperties: false,
    };
  }

  private security(): JsonSchema[] {
    const { oauth } = this.route;
    if (oauth === null) return [{ apiKey: [] }];
    const alternatives =
      typeof oauth === 'string' ? [oauth === 'any' ? [] : [oauth]] : oauth.map((one) => [one]);
    return [
      { apiKey: [] },
      ...alternatives.map((scopes) => ({ oauth: scopes })),
      ...alternatives.map((scopes) => ({ apiKey: [], oauth: scopes })),
    ];
  }
}

const FORM = 'multipart/form-data';
const FILE = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  101: 'The connection is a WebSocket from here on',
  201: 'Created',
  204: 'Done, no content',
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  schema: { type: 'string' },
  description: 'Replays the events after this one; browsers send it automatically when they reconnect',
};

const example = (value: unknown): JsonSchema => (value === undefined ? {} : { example: value });

function expandParameter(expansions: Expansions): JsonSchema {
  const names = Object.keys(expansions);
  const description = `Comma-separated list of ${names.join(', ')}: the response includes the record under that name. The read scope of that record is required as well`;
  return { name: 'expand', in: 'query', schema: { type: 'string' }, description, example: names[0] };
}

/** OpenAPI has no scopes for API keys, so an extension contains them. */
function scopeNote(route: Route): JsonSchema {
  const rule = scopeRuleOf(route);
  return 'anyOf' in rule ? { 'x-scopes-any-of': rule.anyOf } : { 'x-scopes': rule };
}

function operationId({ method, path }: Route): string {
  const words = path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && word !== 'openapi' && word !== 'api');
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}
