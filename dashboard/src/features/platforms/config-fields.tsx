import { Field, Input } from '../../kit/field';
import { Select } from '../../kit/select';
import { type ConfigValues, textOf, titleOf } from './config-values';
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
      label={field.required ? titleOf(field.name) : t('optional', { name: titleOf(field.name) })}
      help={field.description ?? undefined}
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
    const named = options.map((option) => [textOf(option), textOf(option)]);
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
