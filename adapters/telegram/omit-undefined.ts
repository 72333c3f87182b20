type Compact<T> = { [K in keyof T]: Exclude<T[K], undefined> } & Record<never, never>;

/** The same object without its undefined members, so that optional fields are absent instead of empty. */
export function omitUndefined<T extends object>(object: T): Compact<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Compact<T>;
}
