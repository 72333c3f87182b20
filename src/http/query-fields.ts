import { z } from 'zod';

/** Query parameters arrive as text; these read other types from it. */

/** `true` or `false`. */
export const queryBool = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A whole number in decimal digits without sign or leading zero. */
export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d*)$/, { error: 'Expected a whole number.' })
    .transform(Number)
    .pipe(z.int().min(min).max(max));
