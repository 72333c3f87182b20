import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Operation = {
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: object }>;
};
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

/** The served descriptions of both versions, which validate responses. */
export type Descriptions = Readonly<Record<string, Description>>;

let read: Promise<Descriptions> | undefined;

/**
 * The descriptions that the first service serves. All services serve the same ones. Writing and compiling them takes half a second
 * of processor time.
 */
export function loadDescriptions(url: string): Promise<Descriptions> {
  read ??= readDescriptions(url);
  return read;
}

async function readDescriptions(url: string): Promise<Descriptions> {
  const entries = ['1.0', '2.0'].map(async (version): Promise<[string, Description]> => {
    const answer = await fetch(`${url}/openapi.json?version=${version}`);
    return [version, new Description((await answer.json()) as Document)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** One version's OpenAPI document. */
export class Description {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(readonly document: Document) {
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document as object, 'api');
  }

  /** The path template and operation of a request; undefined if there is none. */
  find(
    method: string,
    path: string,
  ): { readonly template: string; readonly operation: Operation } | undefined {
    const plain = path.replace(/^\/v\d+(?=\/)/, '');
    const fits = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain);
    const candidates = Object.keys(this.document.paths).filter(fits);
    // A fixed segment takes precedence over a parameter.
    const [template] = candidates.sort((a, b) => braces(a) - braces(b));
    const operation = template && this.document.paths[template]?.[method.toLowerCase()];
    return template && operation ? { template, operation } : undefined;
  }

  /** The differences between a response and its description, as sentences; empty if there are none. */
  problems(method: string, path: string, status: number, body: unknown): string[] {
    const found = this.find(method === 'HEAD' ? 'GET' : method, path);
    if (found === undefined) return status === 404 || status < 500 ? [] : [`${status} at an unlisted path`];
    const { template, operation } = found;
    const response = operation.responses[String(status)];
    if (response === undefined) return status === 401 ? [] : [`${status} is not described`];
    if (body === undefined) return response.content && method !== 'HEAD' ? ['The body is missing'] : [];
    const pointer = response.$ref?.slice(1) ?? pointerTo(template, method, status);
    const check = this.#check(`api#${pointer}/content/application~1json/schema`);
    if (check(body)) return [];
    return (check.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    );
  }

  #check(ref: string): ValidateFunction {
    const known = this.#checks.get(ref) ?? this.#ajv.compile({ $ref: ref });
    this.#checks.set(ref, known);
    return known;
  }
}

const braces = (template: string) => template.split('{').length;

function pointerTo(template: string, method: string, status: number): string {
  const escaped = template
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D');
  return `/paths/${escaped}/${method.toLowerCase()}/responses/${status}`;
}
