import { z } from 'zod';
import { type FieldProblem, invalidField, invalidRequest, notFound } from '../core/errors.js';
import { listParameters } from '../core/listing/list-request.js';
import { fieldNames, schemaName, unknownFields } from '../core/schema/shape.js';
import { withinBounds } from '../core/schema/within-bounds.js';
import type { ApiVersion } from '../core/versions/api-version.js';
import type { Dialect } from '../core/versions/dialect.js';
import { dialectOf } from '../core/versions/present.js';
import { fieldProblems } from './field-problems.js';
import type { StreamedForm } from './multipart-stream.js';
import type { RequestTarget } from './request-target.js';
import type { Route } from './route.js';

const NOTHING = z.object({});
const REPORT = { reportInput: true } as const;
/** A request can have more wrong with it than anybody reads. */
const MOST_PROBLEMS = 100;

/** The checks of one route's query, body and path parameters, prepared once. */
export class RouteValidation {
  private readonly dialect: Dialect | undefined;
  private readonly readOnly: ReadonlySet<string>;
  private readonly readOnlyIn2: ReadonlySet<string>;
  private readonly body: z.ZodType;
  private readonly query: z.ZodType;

  constructor(private readonly route: Route) {
    this.body = route.body ?? NOTHING;
    this.query = route.query ?? NOTHING;
    this.dialect = dialectOf(schemaName(route.response));
    const writable = new Set(fieldNames(this.body));
    const known = route.method === 'GET' ? [] : fieldNames(route.response);
    this.readOnly = new Set(known.filter((name) => !writable.has(name)));
    // Where 2.0 writes a field of the record in another one, that one can be written, whatever 1.0 has of this name.
    const renamed = new Set(Object.values(this.dialect?.names ?? {}).map((name) => name.split('.')[0]));
    const ownOf2 = [...this.readOnly].filter((name) => !renamed.has(name));
    this.readOnlyIn2 = new Set([...ownOf2, ...(this.dialect?.readOnly ?? [])]);
  }

  /** Query without list parameters; throws `invalid_request`. */
  readQuery(target: RequestTarget, version: ApiVersion): unknown {
    if (target.malformedQuery) throw invalidField('', 'malformed', 'Expected a percent-encoded UTF-8 query.');
    const values: Record<string, string> = Object.create(null);
    const problems: FieldProblem[] = [];
    for (const [name, value] of target.query) {
      if (Object.hasOwn(values, name) && name !== 'filter') problems.push(duplicate(name));
      values[name] = value;
    }
    const own = { ...values };
    for (const name of this.route.list ? listParameters : []) delete own[name];
    delete own.version;
    if (this.route.method === 'GET') delete own.expand;
    if (version === '2.0') problems.push(...unknownFields(this.query, own).map(unknown));
    return checked(this.query, own, problems);
  }

  /** Names in `expand`; ignored by 1.0. */
  readExpand(target: RequestTarget, version: ApiVersion): ReadonlySet<string> {
    if (version === '1.0' || this.route.method !== 'GET') return new Set();
    const text = target.query.find(([name]) => name === 'expand')?.[1];
    if (text === undefined) return new Set();
    const names = text.split(',');
    const known = Object.keys(this.route.expand ?? {});
    if (!names.every((name) => known.includes(name))) {
      const expected =
        known.length === 0 ? 'nothing: there is nothing to expand here' : `of ${known.join(', ')}`;
      throw invalidField('expand', 'invalid_value', `Expected ${expected}.`);
    }
    return new Set(names);
  }

  /** Body in its 1.0 shape; throws `invalid_request` with the names of the version used. */
  readBody(sent: Record<string, unknown>, version: ApiVersion): unknown {
    if (version === '1.0') {
      return checked(this.body, withinBounds(this.body, sent), this.readOnlyProblems(sent, version));
    }
    const problems = this.readOnlyProblems(sent, version);
    const body = withinBounds(this.body, this.dialect?.accept?.(sent, problems) ?? sent);
    const reported = new Set(problems.map((problem) => problem.field));
    const strange = unknownFields(this.body, body).filter((field) => !reported.has(field));
    problems.push(...strange.slice(0, MOST_PROBLEMS).map((field) => unknown(this.nameIn2(field))));
    return checked(this.body, body, problems, (field) => this.nameIn2(field));
  }

  /** Fields beside the file of a form; throws `invalid_request`, also when the file is missing. */
  readForm({ fields, file, ignored }: StreamedForm, part: string, version: ApiVersion): unknown {
    const problems: FieldProblem[] = [];
    const { [part]: instead, ...own } = fields;
    if (file === undefined) {
      const code = instead === undefined ? 'required' : 'invalid_type';
      problems.push({ field: part, code, message: 'Expected a file.' });
    }
    if (version === '2.0') problems.push(...[...unknownFields(this.body, own), ...ignored].map(unknown));
    return checked(this.body, own, problems);
  }

  /** Path parameters; one that cannot be an id names nothing. */
  readParams(params: unknown): unknown {
    const result = (this.route.params ?? NOTHING).safeParse(params);
    if (!result.success) throw notFound(`This ${this.route.tag.toLowerCase()} resource`);
    return result.data;
  }

  private readOnlyProblems(sent: Record<string, unknown>, version: ApiVersion): FieldProblem[] {
    if (version === '1.0' && this.route.method !== 'PATCH') return [];
    const names = version === '1.0' ? this.readOnly : this.readOnlyIn2;
    return Object.keys(sent)
      .filter((name) => names.has(name))
      .map((field) => ({ field, code: 'read_only', message: 'This field cannot be written.' }));
  }

  private nameIn2(field: string): string {
    const names = Object.entries(this.dialect?.names ?? {});
    const found = names.find(([old]) => field === old || field.startsWith(`${old}.`));
    return found === undefined ? field : found[1] + field.slice(found[0].length);
  }
}

function checked(
  schema: z.ZodType,
  value: unknown,
  problems: readonly FieldProblem[],
  rename: (field: string) => string = (field) => field,
): unknown {
  const result = schema.safeParse(value, REPORT);
  if (result.success && problems.length === 0) return result.data;
  const found = result.success ? [] : fieldProblems(result.error.issues);
  const named = found.map((one) => ({ ...one, field: rename(one.field) }));
  throw invalidRequest([...problems, ...named].slice(0, MOST_PROBLEMS));
}

function duplicate(field: string): FieldProblem {
  return { field, code: 'duplicate', message: 'Expected this parameter once.' };
}

function unknown(field: string): FieldProblem {
  return { field, code: 'unknown_field', message: 'Version 2.0 does not know this name.' };
}
