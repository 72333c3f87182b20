import { ChosenList } from '../../../kit/chosen-list';
import { Field } from '../../../kit/field';
import { Select } from '../../../kit/select';
import { messages as t } from './messages';

interface ChoiceProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** Placeholder of the empty field. */
  readonly add: string;
  /** The name of each available value. */
  readonly options: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Selects several values and keeps the order of selection. */
export function Choice({ label, help, add, options, chosen, onChange }: ChoiceProps) {
  const left = Object.entries(options).filter(([value]) => !chosen.includes(value));
  if (left.length + chosen.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} help={help}>
        <Select
          value=""
          onChange={(value) => onChange([...chosen, value])}
          options={{ '': add, ...Object.fromEntries(left) }}
        />
      </Field>
      <ChosenList
        label={label}
        chosen={chosen}
        nameOf={(value) => options[value] ?? value}
        removeLabel={(name) => t('remove', { name })}
        onRemove={(value) => onChange(chosen.filter((each) => each !== value))}
      />
    </div>
  );
}
