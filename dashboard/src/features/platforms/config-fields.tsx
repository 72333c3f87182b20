import { Field, Input } from '../../kit/field';
import { Select } from '../../kit/select';
import { adapterText } from './adapter-text';
import { type ConfigValues, textOf } from './config-values';
import { titleOf } from './field-title';
import { messages as t } from './messages';
import type { ConfigField } from './queries';

interface ConfigFieldsProps {
  readonly fields: readonly ConfigField[];
  readonly values: ConfigValues;
  readonly onChange: (values: ConfigValues) => void;
  /** The error of each field, by field name. */
  readonly problems: Readonly<Record<string, string>>;
  /** Secrets that the connection already has. An empty field keeps the stored secret. */
  readonly kept?: readonly string[];
}

/** A form generated from the adapter's schema: one control per field, with the adapter's texts. */
export function ConfigFields({ fields, values, onChange, problems, kept = [] }: ConfigFieldsProps) {
  return fields.map((field) => (
    <Field
      key={field.name}
      label={labelOf(field)}
      help={field.description === null ? undefined : adapterText(field.description)}
      error={problems[field.name]}
    >
      <Control
        field={field}
        isKept={kept.includes(field.name)}
        value={values[field.name] ?? ''}
        onChange={(value) => onChange({ ...values, [field.name]: value })}
      />
    </Field>
  ));
}

/** A choice always has a value, and so has a field with a default. */
function labelOf(field: ConfigField): string {
  const name = adapterText(field.title ?? titleOf(field.name));
  const mayBeEmpty = !field.required && field.default === null && field.enum === null;
  return mayBeEmpty ? t('optional', { name }) : name;
}

function valueTitle({ enum_titles: titles }: ConfigField, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  const text = textOf(value);
  return adapterText(titles?.[text] ?? text);
}

interface ControlProps {
  readonly field: ConfigField;
  readonly isKept: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Control({ field, isKept, value, onChange }: ControlProps) {
  const { type, enum: choices, default: fallback } = field;
  const options = type === 'boolean' ? [true, false] : choices;
  if (options !== null) {
    const named = options.map((option) => [textOf(option), valueTitle(field, option)]);
    return (
      <Select
        value={value === '' ? textOf(fallback) : value}
        onChange={onChange}
        options={Object.fromEntries(fallback === null ? [['', t('notSet')], ...named] : named)}
      />
    );
  }
  const placeholder = isKept ? t('kept') : textOf(fallback);
  return (
    <Input
      type={type === 'secret' ? 'password' : 'text'}
      inputMode={type === 'number' || type === 'integer' ? 'decimal' : undefined}
      autoComplete={type === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
