import { z } from 'zod';
import {
  AppError,
  type FieldProblem,
  invalidField,
  invalidRequest,
  notFound,
} from '../core/common/errors.js';
import { listParameters } from '../core/listing/list-request.js';
import type { ListPage } from '../core/listing/list-spec.js';
import { KnownFields, unknownField } from '../core/schema/nearest-field.js';
import { fieldNames, schemaName } from '../core/schema/shape.js';
import { hasField, unknownFields, writablePaths } from '../core/schema/unknown-fields.js';
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
/** A request can contain more errors than are useful in a response. */
const MAX_PROBLEMS = 100;

/** Validates the query, body and path parameters of one route. It is prepared once. */
export class RouteValidation {
  private readonly dialect: Dialect | undefined;
  private readonly readOnly: Readonly<Record<ApiVersion, ReadonlySet<string>>>;
  private readonly record: z.ZodType | undefined;
  private readonly body: z.ZodType;
  private readonly query: z.ZodType;
  private readonly parameters: KnownFields;
  private readonly fields = new Map<ApiVersion, KnownFields>();

  constructor(private readonly route: Route) {
    this.body = route.body ?? NOTHING;
    this.query = route.query ?? NOTHING;
    this.record = recordIn(route.response);
    this.dialect = dialectOf(schemaName(route.response));
    const writable = new Set(fieldNames(this.body));
    const known = route.method === 'GET' ? [] : fieldNames(this.record);
    const readOnly = known.filter((name) => !writable.has(name));
    // A read-only field of 1.0 may have the name of a field that can be written in 2.0.
    const renamed = new Set(Object.values(this.dialect?.names ?? {}).map((name) => name.split('.')[0]));
    const in2 = [...readOnly.filter((name) => !renamed.has(name)), ...(this.dialect?.readOnly ?? [])];
    this.readOnly = { '1.0': new Set(readOnly), '2.0': new Set(in2) };
    this.parameters = new KnownFields([
      ...fieldNames(this.query),
      ...(route.list ? listParameters : []),
      'version',
      ...(route.expand ? ['expand'] : []),
    ]);
  }

  /** Parses the query without list parameters. Throws `invalid_request`. */
  readQuery(target: RequestTarget): unknown {
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
    const strange = unknownFields(this.query, own).map(([name = '']) => this.unknownParameter(name));
    return checked(this.query, own, [...problems, ...strange]);
  }

  /** Throws if a response differs from the schema of the route, which is a defect of the service. */
  checkResponse(record: object | undefined, isList: boolean): void {
    const { response, method, path } = this.route;
    if (response === undefined || record === undefined) return;
    const items = isList ? (record as ListPage<object>).items : [record];
    for (const item of items) {
      const result = response.safeParse(item);
      if (!result.success) {
        throw new Error(`The answer of ${method} ${path} differs from its schema.`, { cause: result.error });
      }
    }
  }

  /** The names in `expand`. Version 1.0 ignores it. */
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

  /** Parses the body into its 1.0 shape. Throws `invalid_request` with the field names of the version in use. */
  readBody(sent: Record<string, unknown>, version: ApiVersion): unknown {
    const problems = this.readOnlyProblems(sent, version);
    const accepted = version === '2.0' ? this.dialect?.accept?.(sent, problems) : undefined;
    const body = withinBounds(this.body, accepted ?? sent);
    const reported = new Set(problems.map((problem) => problem.field));
    const rename = (field: string) => (version === '2.0' ? this.nameIn2(field) : field);
    for (const path of unknownFields(this.body, body)) {
      const field = rename(path.join('.'));
      if (!reported.has(field)) problems.push(this.strange(field, path));
    }
    return checked(this.body, body, problems.map(this.advised(version)), rename);
  }

  /** Parses the fields of a form other than its file. Throws `invalid_request`, also when the file is missing. */
  readForm({ fields, file, ignored }: StreamedForm): unknown {
    const problems: FieldProblem[] = [];
    const schema = this.route.upload?.fields ?? this.body;
    const part = this.route.upload?.streamed.part ?? '';
    const { [part]: instead, ...own } = fields;
    if (file === undefined) {
      const code = instead === undefined ? 'required' : 'invalid_type';
      problems.push({ field: part, code, message: 'Expected a file.' });
    }
    const strange = [...unknownFields(schema, own).map((path) => path.join('.')), ...ignored];
    const known = new KnownFields([part, ...writablePaths(schema)]);
    problems.push(...strange.map((field) => unknownField(field, known.advice([field]))));
    return checked(schema, own, problems);
  }

  /** Parses the path parameters. If one is not a valid id, throws `not_found`. */
  readParams(params: unknown): unknown {
    const result = (this.route.params ?? NOTHING).safeParse(params);
    if (!result.success) throw notFound('The resource at this path');
    return result.data;
  }

  /** An error of the handler, with the field names of the version in use. Use cases know the 1.0 shape only. */
  inVersion(error: unknown, version: ApiVersion): unknown {
    if (version === '1.0' || this.dialect?.names === undefined || !(error instanceof AppError)) return error;
    const { fields, field } = (error.details ?? {}) as { fields?: FieldProblem[]; field?: string };
    if (fields !== undefined) {
      return invalidRequest(fields.map((each) => ({ ...each, field: this.nameIn2(each.field) })));
    }
    if (field === undefined) return error;
    return new AppError(error.code, error.message, { ...error.details, field: this.nameIn2(field) });
  }

  private readOnlyProblems(sent: Record<string, unknown>, version: ApiVersion): FieldProblem[] {
    return Object.keys(sent)
      .filter((name) => this.readOnly[version].has(name))
      .map((field) => readOnlyField(field));
  }

  private strange(field: string, path: readonly string[]): FieldProblem {
    const isKnown = path.length > 1 && hasField(this.record, path);
    return isKnown ? readOnlyField(field) : unknownField(field, '');
  }

  /** Adds the field that was probably meant to a problem. */
  private advised(version: ApiVersion) {
    return (problem: FieldProblem): FieldProblem => {
      const path = problem.field.split('.');
      if (problem.code === 'unknown_field') {
        return unknownField(problem.field, this.known(version).advice(path));
      }
      if (problem.code !== 'read_only') return problem;
      const meant = this.known(version).equivalent(path);
      return meant === undefined ? problem : readOnlyField(problem.field, meant);
    };
  }

  private known(version: ApiVersion): KnownFields {
    const present = this.fields.get(version);
    if (present !== undefined) return present;
    const paths = writablePaths(this.body);
    const known = new KnownFields(version === '2.0' ? paths.map((path) => this.nameIn2(path)) : paths);
    this.fields.set(version, known);
    return known;
  }

  private unknownParameter(name: string): FieldProblem {
    const filters = this.route.list?.filter ?? {};
    if (Object.hasOwn(filters, name)) {
      return unknownField(name, `The nearest known parameter is filter, as in filter=${name}:value.`);
    }
    return unknownField(name, this.parameters.advice([name]).replace('field', 'parameter'));
  }

  private nameIn2(field: string): string {
    const names = Object.entries(this.dialect?.names ?? {});
    const found = names.find(([old]) => field === old || field.startsWith(`${old}.`));
    return found === undefined ? field : found[1] + field.slice(found[0].length);
  }
}

/** The record that a route answers with. Of several answers the first one is the record of its resource. */
function recordIn(response: z.ZodType | undefined): z.ZodType | undefined {
  return response instanceof z.ZodUnion ? (response.options[0] as z.ZodType) : response;
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
  throw invalidRequest([...problems, ...named].slice(0, MAX_PROBLEMS));
}

function duplicate(field: string): FieldProblem {
  return { field, code: 'duplicate', message: 'Expected this parameter once.' };
}

function readOnlyField(field: string, meant?: string): FieldProblem {
  const instead = meant === undefined ? '' : ` Send ${meant} instead.`;
  return { field, code: 'read_only', message: `This field cannot be written.${instead}` };
}
