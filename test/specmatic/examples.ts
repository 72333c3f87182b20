interface Parameter {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly in?: string;
  readonly schema?: { readonly anyOf?: readonly object[] };
}
interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}
type Contents = Readonly<Record<string, Media>>;
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Specmatic matches the examples of a request and a response by their name. */
const NAME = 'documented';
/** Responses that have no end or do not stay HTTP. */
const ENDLESS = ['/openapi/events/stream', '/openapi/rtc'];

/**
 * Adapts the description for specmatic. Examples get the name by which it finds them. Parameters with an example must not be
 * lists, since specmatic reads a list of one element as text. Specmatic cannot get OAuth tokens, so they are left out.
 */
export function forSpecmatic(description: Description): object {
  const paths = Object.entries(description.paths)
    .filter(([path]) => !ENDLESS.includes(path))
    .map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, adapted(operation)])),
    ]);
  return { ...description, paths: Object.fromEntries(paths) };
}

function adapted({ parameters = [], requestBody, responses, ...rest }: Operation): object {
  return {
    ...rest,
    security: [{ apiKey: [] }],
    parameters: parameters
      .filter(({ example }) => example !== undefined && !Array.isArray(example))
      .map((one) => named(ofOneKind(one))),
    ...(requestBody && { requestBody: { ...requestBody, content: namedIn(requestBody.content) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        response.content && status < '300' ? { ...response, content: namedIn(response.content) } : response,
      ]),
    ),
  };
}

/** For a path parameter with several kinds of value, specmatic mistakes a bracket of its own notation for a part of the value. */
function ofOneKind(parameter: Parameter): Parameter {
  const [first] = parameter.schema?.anyOf ?? [];
  return parameter.in === 'path' && first ? { ...parameter, schema: first } : parameter;
}

function namedIn(content: Contents): object {
  return Object.fromEntries(Object.entries(content).map(([type, media]) => [type, named(media)]));
}

function named<T extends Media>({ example, examples, ...rest }: T): object {
  const [first] = Object.values(examples ?? {});
  const shown = example === undefined ? first : { value: example };
  return shown === undefined ? rest : { ...rest, examples: { [NAME]: shown } };
}
