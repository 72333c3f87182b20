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
  /** The name of a value that is not among the options. */
  readonly other?: string;
}

/** Several values, in the order in which they were chosen. */
export function Choice({ label, help, add, options, chosen, onChange, other }: ChoiceProps) {
  const nameOf = (value: string) => options[value] ?? other ?? value;
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
      {chosen.length > 0 && (
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
                onClick={() => onChange(chosen.filter((each) => each !== value))}
              >
                <X aria-hidden className="size-3.5" />
              </Button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
