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

/** The name under which a schema stands in the description: `id` of its meta. */
export function schemaName(schema: z.ZodType | undefined): string | undefined {
  return schema && z.globalRegistry.get(schema)?.id;
}

/** Paths in `value` that the schema does not know; what a schema does not fix, such as metadata, is all known. */
export function unknownFields(schema: z.ZodType, value: unknown, path = ''): string[] {
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    return inner instanceof z.ZodArray
      ? value.flatMap((item, index) =>
          unknownFields(inner.element as z.ZodType, item, within(path, String(index))),
        )
      : alternatives(inner, value, path);
  }
  if (typeof value !== 'object' || value === null) return [];
  if (!(inner instanceof z.ZodObject)) return alternatives(inner, value, path);
  const shape = inner.shape as Record<string, z.ZodType>;
  return Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined ? [within(path, name)] : unknownFields(field, item, within(path, name));
  });
}

/** Of a union the alternative that knows most decides. */
function alternatives(schema: z.ZodType, value: object, path: string): string[] {
  if (!(schema instanceof z.ZodUnion)) return [];
  const fitting = (schema.options as z.ZodType[]).filter((option) => fits(unwrap(option), value));
  const found = fitting.map((option) => unknownFields(option, value, path));
  return found.sort((a, b) => a.length - b.length)[0] ?? [];
}

function fits(schema: z.ZodType, value: object): boolean {
  if (schema instanceof z.ZodUnion) return true;
  return Array.isArray(value)
    ? schema instanceof z.ZodArray
    : !(schema instanceof z.ZodArray) && isStructure(schema);
}

function isStructure(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord || schema instanceof z.ZodCustom;
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

function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
