import type {
  ApiDocument,
  DescribedAnswer,
  DescribedContent,
  DescribedOperation,
  DescribedParameter,
  JsonSchema,
} from '../../../api/api-document';

/** Operations of the API document in display form. */

export interface Field {
  readonly name: string;
  /** The location of a parameter. */
  readonly place?: DescribedParameter['in'];
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  /** JSON text. */
  readonly example?: string;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly scopes: readonly string[];
  /** Whether one of the scopes is sufficient. */
  readonly isAnyScope: boolean;
  readonly parameters: readonly Field[];
  readonly body: readonly Field[];
  readonly answers: readonly Answer[];
  readonly curl: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const JSON_TYPE = 'application/json';
/** Maximum depth of nested fields. They are shown with their path. */
const DEEPEST = 3;

/** All operations of a document, in document order. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method];
      return described === undefined ? [] : [operationOf(document, method.toUpperCase(), path, described)];
    }),
  );
}

/** Whether the identifying fields contain every word of the search. */
export function matches(
  { method, path, tag, summary, parameters, body }: Operation,
  search: string,
): boolean {
  const names = [...parameters, ...body].map(({ name }) => name);
  const text = [method, path, tag, summary, ...names].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s/)
    .every((word) => text.includes(word));
}

function operationOf(
  document: ApiDocument,
  method: string,
  path: string,
  described: DescribedOperation,
): Operation {
  const parameters = (described.parameters ?? []).map((each) => resolve(document, each));
  const [type = '', content] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  const any = described['x-scopes-any-of'];
  return {
    id: described.operationId,
    method,
    path,
    tag: described.tags[0] ?? '',
    summary: described.summary,
    description: described.description ?? '',
    scopes: any ?? described['x-scopes'] ?? [],
    isAnyScope: any !== undefined,
    parameters: parameters.map((each) => parameterField(document, each)),
    body: content?.schema === undefined ? [] : fieldsOf(document, content.schema),
    answers: Object.entries(described.responses).map((each) => answerOf(document, ...each)),
    curl: curlOf({ url: urlOf(document, path, parameters), method, type, content }),
  };
}

/** The component that a reference names. The service writes only references to its own components. */
function resolve<Part extends { readonly $ref?: string }>(document: ApiDocument, part: Part): Part {
  const [, , group = '', name = ''] = part.$ref?.split('/') ?? [];
  const found = document.components[group]?.[name];
  return found === undefined ? part : (found as Part);
}

function parameterField(document: ApiDocument, parameter: DescribedParameter): Field {
  return {
    name: parameter.name,
    place: parameter.in,
    type: typeOf(document, parameter.schema),
    isRequired: parameter.required === true,
    description: parameter.description ?? '',
  };
}

/** The fields of a body, without deprecated ones. */
function fieldsOf(document: ApiDocument, schema: JsonSchema, before = '', depth = 1): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries(properties)
    .filter(([, { deprecated }]) => deprecated !== true)
    .flatMap(([name, field]) => {
      const shown = {
        name: before + name,
        type: typeOf(document, field),
        isRequired: required.includes(name),
        description: field.description ?? '',
      };
      if (depth === DEEPEST) return [shown];
      return [shown, ...fieldsOf(document, field, `${before}${name}.`, depth + 1)];
    });
}

/** A short description of a type, such as `string (uuid)` or `"open" | "closed"`. */
function typeOf(document: ApiDocument, schema: JsonSchema): string {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return name;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map((each) => typeOf(document, each)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.type === 'array') return `${schema.items ? typeOf(document, schema.items) : 'any'}[]`;
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? 'any');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function answerOf(document: ApiDocument, status: string, described: DescribedAnswer): Answer {
  const { description, content = {} } = resolve(document, described);
  const example = Object.values(content)[0]?.example;
  if (example === undefined) return { status, description };
  return {
    status,
    description,
    example: typeof example === 'string' ? example : JSON.stringify(example, null, 2),
  };
}

/** The URL of an example, with its required parameters. */
function urlOf({ servers }: ApiDocument, path: string, parameters: readonly DescribedParameter[]): string {
  const exampleOf = (name: string, whole: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example;
    return example === undefined ? whole : encodeURIComponent(String(example));
  };
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => exampleOf(name, whole));
  const wanted = parameters.filter((each) => each.in === 'query' && each.required === true);
  const query = wanted.map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? ''))}`);
  return `${servers[0]?.url ?? ''}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

interface Example {
  readonly url: string;
  readonly method: string;
  /** Empty if there is no body. */
  readonly type: string;
  readonly content: DescribedContent | undefined;
}

function curlOf({ url, method, type, content }: Example): string {
  const lines = [`curl -X ${method} '${url}'`, '  -H "X-API-Key: $TRUNKLINE_API_KEY"'];
  if (type === JSON_TYPE && content?.example !== undefined) {
    const body = JSON.stringify(content.example, null, 2).replaceAll("'", "'\\''");
    lines.push(`  -H 'Content-Type: ${JSON_TYPE}'`, `  -d '${body}'`);
  } else if (type === 'multipart/form-data') {
    lines.push("  -F 'file=@plan.png'");
  }
  return lines.join(' \\\n');
}
