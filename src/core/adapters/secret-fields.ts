import { z } from 'zod';
import { isSecret } from '../../contract/index.js';

export function objectShape(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}

/** Whether a field is secret. This includes a secret that is optional or has a default. */
export function fieldIsSecret(schema: z.ZodType | undefined): boolean {
  if (schema === undefined) return false;
  if (isSecret(schema)) return true;
  const inner = (schema as { unwrap?: () => z.ZodType }).unwrap?.();
  return inner === undefined ? false : fieldIsSecret(inner);
}
