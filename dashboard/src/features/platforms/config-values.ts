import type { ConfigField } from './queries';

/** The form state by field name, as text. An empty text means the default value. */
export type ConfigValues = Readonly<Record<string, string>>;

/** The values of an existing connection. Secrets are never included. */
export function valuesOf(
  fields: readonly ConfigField[],
  settings: Readonly<Record<string, unknown>>,
): ConfigValues {
  return Object.fromEntries(
    fields.map(({ name }) => [name, settings[name] === undefined ? '' : textOf(settings[name])]),
  );
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

/** The request body: non-empty fields, converted to the types of their schema. */
export function configOf(fields: readonly ConfigField[], values: ConfigValues): Record<string, unknown> {
  const filled = fields.filter(({ name }) => (values[name] ?? '').trim() !== '');
  return Object.fromEntries(filled.map((field) => [field.name, typed(field, values[field.name] ?? '')]));
}

/** Fields whose value differs from the stored one. */
export function changedConfig(
  fields: readonly ConfigField[],
  values: ConfigValues,
  before: ConfigValues,
): Record<string, unknown> {
  return configOf(
    fields.filter(({ name }) => values[name] !== before[name]),
    values,
  );
}

/** Required fields without a value. */
export function missingFields(fields: readonly ConfigField[], values: ConfigValues): string[] {
  return fields
    .filter(({ name, required }) => required && (values[name] ?? '').trim() === '')
    .map(({ name }) => name);
}

/** Text that is not a number is sent unchanged, so that the service reports the expected type. */
function typed({ type }: ConfigField, text: string): unknown {
  if (type === 'boolean') return text === 'true';
  if (type !== 'number' && type !== 'integer') return type === 'secret' ? text.trim() : text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
