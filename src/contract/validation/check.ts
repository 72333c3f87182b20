/** Returns the path of the first invalid field of a value, an empty path for the value itself, or undefined if it is valid. */
export type Check = (value: unknown) => string | undefined;

export const is =
  (test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? undefined : '';

export const oneOf = (...known: readonly unknown[]): Check => is((value) => known.includes(value));

export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

/** An object with these fields. Other fields are ignored. */
export function fields(shape: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(shape);
  return (value) => {
    if (!isObject(value)) return '';
    for (const [name, check] of entries) {
      const wrong = check(value[name]);
      if (wrong !== undefined) return wrong === '' ? name : `${name}.${wrong}`;
    }
    return undefined;
  };
}

export const list =
  (each: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return '';
    for (const [index, item] of value.entries()) {
      const wrong = each(item);
      if (wrong !== undefined) return wrong === '' ? String(index) : `${index}.${wrong}`;
    }
    return undefined;
  };

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer ids do not fit in an index of the database. */
const MAX_ID_LENGTH = 1_000;

export const text = is((value) => typeof value === 'string');
export const flag = is((value) => typeof value === 'boolean');
export const object = is(isObject);
export const id = textOf(MAX_ID_LENGTH);
export const whole = is((value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const number = is(Number.isFinite);

export function textOf(maxLength: number): Check {
  return is((value) => typeof value === 'string' && value !== '' && value.length <= maxLength);
}

export function within(min: number, max: number): Check {
  return is((value) => typeof value === 'number' && value >= min && value <= max);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** An ISO 8601 time with an offset, on an existing day. */
export const time = is(
  (value) => typeof value === 'string' && ISO.test(value) && !Number.isNaN(Date.parse(value)),
);
