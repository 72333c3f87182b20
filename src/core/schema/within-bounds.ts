import { z } from 'zod';
import { unwrap } from './shape.js';

/**
 * Cuts arrays that are longer than the schema allows, after one element too many. The value is refused for the same reason, but
 * without the time to check hundreds of thousands of elements.
 */
export function withinBounds(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    const array = arrayIn(inner);
    if (array === undefined) return value;
    const cut = value.slice(0, longest(array) + 1);
    return cut.map((item) => withinBounds(array.element as z.ZodType, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  const object = objectIn(inner);
  if (object === undefined) return value;
  const bounded = { ...value } as Record<string, unknown>;
  for (const [name, field] of Object.entries(object.shape)) {
    if (Object.hasOwn(bounded, name)) bounded[name] = withinBounds(field as z.ZodType, bounded[name]);
  }
  return bounded;
}

function longest(array: z.ZodArray): number {
  const checks = (array._zod.def.checks ?? []).map((check) => check._zod.def as { maximum?: number });
  return Math.min(
    ...checks.map(({ maximum }) => maximum ?? Number.POSITIVE_INFINITY),
    Number.MAX_SAFE_INTEGER,
  );
}

function arrayIn(schema: z.ZodType): z.ZodArray | undefined {
  return alternatives(schema).find((option) => option instanceof z.ZodArray);
}

function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  return alternatives(schema).find((option) => option instanceof z.ZodObject);
}

function alternatives(schema: z.ZodType): z.ZodType[] {
  return schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]).map(unwrap) : [schema];
}
