import { X } from 'lucide-react';
import { Button } from '../../../kit/button';
import { Field } from '../../../kit/field';
import { Select } from '../../../kit/select';
import { messages as t } from './messages';

interface ChoiceProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** What the empty field says. */
  readonly add: string;
  /** The name of each value that can be chosen. */
  readonly options: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Several values, in the order in which they were chosen. */
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
      <Chosen
        label={label}
        chosen={chosen}
        nameOf={(value) => options[value] ?? value}
        onRemove={(value) => onChange(chosen.filter((each) => each !== value))}
      />
    </div>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly nameOf: (value: string) => string;
  readonly onRemove: (value: string) => void;
}

/** What was chosen, each with a button that removes it. */
export function Chosen({ label, chosen, nameOf, onRemove }: ChosenProps) {
  if (chosen.length === 0) return null;
  return (
    <ol aria-label={label} className="flex flex-wrap gap-2">
      {chosen.map((value) => (
        <li
          key={value}
          className="flex min-w-0 max-w-full items-center gap-1 rounded-md border border-line bg-hover pl-2 text-sm"
        >
          <span className="untrusted truncate">{nameOf(value)}</span>
          <Button
            size="sm"
            kind="quiet"
            aria-label={t('remove', { name: nameOf(value) })}
            onClick={() => onRemove(value)}
          >
            <X aria-hidden className="size-3.5" />
          </Button>
        </li>
      ))}
    </ol>
  );
}
