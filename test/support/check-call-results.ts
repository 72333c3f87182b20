import { afterAll } from 'vitest';
import { z } from 'zod';
import { inspectResults } from '../../src/store/connection/function-calls.js';
import { callResults } from './call-results.gen.js';

/**
 * A vitest setup file: compares every result of a database function with the schema that follows from its header. A file with a
 * result that does not fit fails, also when the program did without the wrong field.
 */

const strictResults = new Map<string, z.ZodType>();
const problems = new Set<string>();

inspectResults((name, result) => {
  const schema = callResults[name];
  if (schema === undefined) return;
  const strict = strictResults.get(name) ?? strictly(schema);
  strictResults.set(name, strict);
  const { error } = strict.safeParse(result);
  if (error !== undefined && problems.size < 20)
    for (const issue of error.issues) problems.add(`${name}${explain(issue)}`);
});

afterAll(() => {
  const found = [...problems];
  problems.clear();
  if (found.length > 0) throw new Error(`Results differ from their headers:\n${found.join('\n')}`);
});

/** Where a result differs. Of a union: from the alternative that it resembles most, which is the one it differs from deepest. */
function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((one) => (typeof one === 'number' ? '[]' : `.${String(one)}`)).join('');
  if (issue.code !== 'invalid_union') return `${path}: ${issue.message}`;
  const depth = (all: readonly z.core.$ZodIssue[]) => Math.max(...all.map((one) => one.path.length));
  const [nearest] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  return nearest === undefined
    ? `${path}: ${issue.message}`
    : nearest.map((one) => path + explain(one)).join('; ');
}

/** The same schema, which refuses members that it does not name. */
export function strictly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, one]) => [name, strictly(one)]),
    );
    return schema.def.catchall === undefined ? z.strictObject(shape) : z.looseObject(shape);
  }
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.element as z.ZodType));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((one) => strictly(one as z.ZodType)));
  if (schema instanceof z.ZodNullable) return strictly(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return strictly(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodRecord)
    return z.record(schema.keyType as z.ZodString, strictly(schema.valueType as z.ZodType));
  return schema;
}
