import type { ConfigField } from './queries';

/** What a form holds for each field, by its name: text, as typed or chosen. An empty text leaves the default. */
export type ConfigValues = Readonly<Record<string, string>>;

/** "bot_token" becomes "Bot token": adapters name their fields and give no other title. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The values that an existing connection has; secrets are never shown again. */
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

/** What is sent: fields that were filled in, in the type of their schema. */
export function configOf(fields: readonly ConfigField[], values: ConfigValues): Record<string, unknown> {
  const filled = fields.filter(({ name }) => (values[name] ?? '').trim() !== '');
  return Object.fromEntries(filled.map((field) => [field.name, typed(field, values[field.name] ?? '')]));
}

/** Fields whose value differs from that of the connection. */
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

/** Nonsense stays a text, for the service to say what it expected. */
function typed({ type }: ConfigField, text: string): unknown {
  if (type === 'boolean') return text === 'true';
  if (type !== 'number' && type !== 'integer') return type === 'secret' ? text.trim() : text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
