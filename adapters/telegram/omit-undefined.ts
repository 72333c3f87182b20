type Compact<T> = { [K in keyof T]: Exclude<T[K], undefined> } & Record<never, never>;

/** Copies an object without its undefined members, so that optional fields are absent. */
export function omitUndefined<T extends object>(object: T): Compact<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Compact<T>;
}
