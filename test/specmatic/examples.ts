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

/** Specmatic puts the examples of a request and an answer together by their name. */
const NAME = 'documented';
/** Answers that don't end, or are no HTTP any more. */
const ENDLESS = ['/openapi/events/stream', '/openapi/rtc'];

/**
 * The description with its examples under the name by which specmatic finds them, with parameters that have one which is
 * no list (specmatic takes one of one element for a text), and without
 * the tokens of OAuth, which specmatic can't get.
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

/** Of a parameter of the path with several kinds of value, specmatic takes a bracket of its own notation as part of the value. */
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
