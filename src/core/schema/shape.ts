import { z } from 'zod';

/** The object schema inside wrappers such as optional, default and transform; undefined for other schemas. */
export function objectIn(schema: z.ZodType | undefined): z.ZodObject | undefined {
  const inner = schema && unwrap(schema);
  return inner instanceof z.ZodObject ? inner : undefined;
}

/** Names of the fields of an object schema. */
export function fieldNames(schema: z.ZodType | undefined): string[] {
  return Object.keys(objectIn(schema)?.shape ?? {});
}

/** The name of a schema in the API description: `id` of its meta. */
export function schemaName(schema: z.ZodType | undefined): string | undefined {
  return schema && z.globalRegistry.get(schema)?.id;
}

/** The schema inside wrappers such as optional, default and transform. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    const input = schema.in as z.ZodType;
    return unwrap(input instanceof z.ZodTransform ? (schema.out as z.ZodType) : input);
  }
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch
  ) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodLazy ? unwrap(schema.unwrap() as z.ZodType) : schema;
}
