import type { z } from 'zod';
import type { FieldCode, FieldProblem } from '../core/common/errors.js';

/** Converts validation issues to the error format of the API. `prefix` is the name of the validated field. */
export function fieldProblems(issues: readonly z.core.$ZodIssue[], prefix = ''): FieldProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, join(prefix, issue.path)));
}

function problemsOf(issue: z.core.$ZodIssue, field: string): FieldProblem[] {
  const one = (code: FieldCode, message: string): FieldProblem[] => [{ field, code, message }];
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? one('required', `Expected ${typeName(issue.expected)}.`)
        : one('invalid_type', `Expected ${typeName(issue.expected)}, found ${kindOf(issue.input)}.`);
    case 'too_small':
      return one(
        issue.origin === 'number' || issue.origin === 'int' ? 'too_small' : 'too_short',
        sizeMessage(issue),
      );
    case 'too_big':
      return one(tooBigCodes[issue.origin] ?? 'too_large', sizeMessage(issue));
    case 'invalid_format':
      return one('invalid_format', formatMessage(issue));
    case 'invalid_value':
      return [invalidValue(issue, field)];
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        field: join(field, [key]),
        code: 'unknown_field',
        message: 'This field is not known.',
      }));
    case 'invalid_union':
      return unionProblems(issue, field);
    case 'invalid_key':
    case 'invalid_element':
      return fieldProblems(issue.issues, field).map((problem) => ({ ...problem, field }));
    case 'custom':
      return one((issue.params?.code as FieldCode | undefined) ?? 'invalid_value', issue.message);
    default:
      return one('invalid_value', issue.message);
  }
}

const tooBigCodes: Readonly<Record<string, FieldCode>> = {
  string: 'too_long',
  array: 'too_many',
  set: 'too_many',
};

function invalidValue(issue: z.core.$ZodIssueInvalidValue, field: string): FieldProblem {
  const message = `Expected one of ${issue.values.map(String).join(', ')}.`;
  if (issue.input === undefined) return { field, code: 'required', message };
  const fits = issue.values.some((value) => typeof value === typeof issue.input && issue.input !== null);
  return { field, code: fits ? 'invalid_value' : 'invalid_type', message };
}

/** Reports the alternative with the fewest problems, among those whose type matches. */
function unionProblems(issue: z.core.$ZodIssueInvalidUnion, field: string): FieldProblem[] {
  if (issue.input === undefined) return [{ field, code: 'required', message: 'Expected a value.' }];
  const found = issue.errors.map((issues) => fieldProblems(issues, field));
  const wrongTypeAtOnce = (problems: FieldProblem[]) =>
    problems.some((problem) => problem.field === field && problem.code === 'invalid_type');
  const candidates = found.filter((problems) => !wrongTypeAtOnce(problems));
  const best = candidates.sort((a, b) => a.length - b.length)[0];
  return best ?? [{ field, code: 'invalid_type', message: alternativesMessage(issue) }];
}

function alternativesMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const types = issue.errors
    .flat()
    .flatMap((one) => (one.code === 'invalid_type' ? [typeName(one.expected)] : []));
  const names = [...new Set(types)].join(' or ') || 'another value';
  return `Expected ${names}, found ${kindOf(issue.input)}.`;
}

const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' elements',
  set: ' elements',
};

function sizeMessage(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const unit = UNITS[issue.origin] ?? '';
  if (issue.code === 'too_big') {
    return `Expected ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit}.`;
  }
  return `Expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit}.`;
}

function formatMessage(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (!issue.message.startsWith('Invalid')) return issue.message;
  return issue.format === 'regex'
    ? 'Expected another format; see the description of this field.'
    : `Expected a valid ${issue.format}.`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : (TYPE_NAMES[typeof value] ?? typeof value);
}

function join(prefix: string, path: readonly PropertyKey[]): string {
  return [...(prefix === '' ? [] : [prefix]), ...path.map(String)].join('.');
}
