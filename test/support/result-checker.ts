import { z } from 'zod';
import { inspectResults } from '../../src/store/connection/function-calls.js';
import { callResults } from './call-results.gen.js';

/** One defect in a function affects thousands of results. */
const MAX_PROBLEMS = 20;

/**
 * Compares every result of a database function with the schema of its header. `report` gets each kind of difference once, even if
 * the program does not use the wrong field.
 */
export function checkResults(report: (problem: string) => void): void {
  const strictResults = new Map<string, z.ZodType>();
  const reported = new Set<string>();
  inspectResults((name, result) => {
    const schema = callResults[name];
    if (schema === undefined || reported.size >= MAX_PROBLEMS) return;
    const strict = strictResults.get(name) ?? strictly(schema);
    strictResults.set(name, strict);
    for (const issue of strict.safeParse(result).error?.issues ?? []) {
      const problem = `${name}${explain(issue)}`;
      if (reported.has(problem)) continue;
      reported.add(problem);
      report(problem);
    }
  });
}

/** The place in which a result differs. For a union, the alternative with the deepest difference is the most similar one. */
function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((one) => (typeof one === 'number' ? '[]' : `.${String(one)}`)).join('');
  if (issue.code !== 'invalid_union') return `${path}: ${issue.message}`;
  const depth = (all: readonly z.core.$ZodIssue[]) => Math.max(...all.map((one) => one.path.length));
  const [nearest] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  return nearest === undefined
    ? `${path}: ${issue.message}`
    : nearest.map((one) => path + explain(one)).join('; ');
}

/** The same schema, which refuses unknown members. */
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
