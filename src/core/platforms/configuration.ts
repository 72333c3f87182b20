import { z } from 'zod';
import type { AdapterDefinition, ConnectionConfig } from '../../contract/index.js';
import { wrongConfigProblems } from '../../contract/validation/results.js';
import { HookRunner } from '../adapters/hook-runner.js';
import { Redactor } from '../adapters/redactor.js';
import { secretsOf } from '../adapters/secret-forms.js';
import { type FieldCode, type FieldProblem, invalidField, invalidRequest } from '../common/errors.js';
import { KnownFields, unknownField } from '../schema/nearest-field.js';
import { unknownFields, writablePaths } from '../schema/unknown-fields.js';
import { type CommonSettings, commonSettings } from './common-settings.js';

export type Settings = CommonSettings & Readonly<Record<string, unknown>>;

/** The schema of a connection's settings: the common ones with the defaults of this platform, and the platform's own. */
export function settingsSchema(definition: AdapterDefinition): z.ZodType {
  const common = commonSettings(definition);
  const own = definition.settings as unknown;
  return own instanceof z.ZodObject ? common.extend(own.shape) : common;
}

/** Raises invalid_request for credentials and settings that the platform does not have. */
export function refuseUnknownNames(
  definition: AdapterDefinition,
  sent: { readonly credentials?: unknown; readonly settings?: unknown },
): void {
  const schema = z.object({ credentials: definition.credentials, settings: settingsSchema(definition) });
  const { credentials, settings } = sent;
  const known = new KnownFields(writablePaths(schema));
  const problems = unknownFields(schema, { credentials, settings }).map((path) =>
    unknownField(path.join('.'), known.advice(path)),
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Checks credentials and settings against the adapter's schemas. Raises invalid_request with dotted field paths. */
export function parseConfiguration(
  definition: AdapterDefinition,
  credentials: unknown,
  settings: unknown,
): { credentials: Record<string, unknown>; settings: Settings } {
  const problems: FieldProblem[] = [];
  const redactor = new Redactor(secretsOf(definition, Object(credentials) as Record<string, unknown>));
  const check = <Result>(by: () => Result) => byAdapter(definition, redactor, by);
  const [parsedCredentials, parsedSettings] = check(() => [
    parse(definition.credentials, credentials, 'credentials', problems),
    parse(settingsSchema(definition), settings, 'settings', problems) as Settings | undefined,
  ]);
  if (parsedSettings?.uncertain_policy === 'reconcile' && !definition.lookup) {
    problems.push({
      field: 'settings.uncertain_policy',
      code: 'unsupported',
      message: `${definition.displayName} can't be asked for a lost message; use hold or retry`,
    });
  }
  if (problems.length === 0) {
    const config = { credentials: parsedCredentials, settings: parsedSettings } as ConnectionConfig;
    problems.push(...check(() => problemsOf(definition, config)));
  }
  if (problems.length > 0) throw invalidRequest(problems.map((problem) => withoutSecrets(problem, redactor)));
  return { credentials: parsedCredentials as Record<string, unknown>, settings: parsedSettings as Settings };
}

/** Runs code of the adapter: its schemas and `validate`. If it fails, the configuration is refused. */
function byAdapter<Result>({ platform }: AdapterDefinition, redactor: Redactor, check: () => Result): Result {
  try {
    return new HookRunner({ adapter: platform, redactor }).sync('validate', check);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'The adapter failed.';
    throw invalidField('credentials', 'unsupported', message);
  }
}

/** The problems that the adapter found. Raises an error for a result that is not a list of problems. */
function problemsOf(definition: AdapterDefinition, config: ConnectionConfig): readonly FieldProblem[] {
  const found = definition.validate?.(config) ?? [];
  const wrong = wrongConfigProblems(found);
  if (wrong === undefined) return found;
  throw new TypeError(`It must return a list of problems; ${wrong === '' ? 'it' : wrong} is wrong.`);
}

function withoutSecrets({ field, code, message }: FieldProblem, redactor: Redactor): FieldProblem {
  return { field: redactor.text(String(field)), code, message: redactor.text(String(message)) };
}

function parse(schema: z.ZodType, value: unknown, at: string, problems: FieldProblem[]): unknown {
  const result = schema.safeParse(value ?? {}, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const field = [at, ...issue.path.map(String)].join('.');
    problems.push({ field, code: codeOf(issue), message: `${issue.message} (${field})` });
  }
  return undefined;
}

const issueCodes: Readonly<Record<string, FieldCode>> = {
  invalid_type: 'invalid_type',
  too_small: 'too_short',
  too_big: 'too_long',
  invalid_format: 'invalid_format',
  invalid_value: 'invalid_value',
};

function codeOf(issue: z.core.$ZodIssue): FieldCode {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'required';
  if (issue.code === 'custom') return (issue.params?.code as FieldCode | undefined) ?? 'invalid_value';
  if ('origin' in issue && issue.origin === 'number')
    return issue.code === 'too_big' ? 'too_large' : 'too_small';
  return issueCodes[issue.code] ?? 'invalid_value';
}
