import { Checkbox } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import { messages as t } from './messages';

interface RowCheckboxProps {
  readonly name: string;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
}

/** Covers the avatar of a row. It appears on hover and focus, and stays visible while it is checked. */
export function RowCheckbox({ name, isChecked, onToggle }: RowCheckboxProps) {
  return (
    <Checkbox.Root
      checked={isChecked}
      onCheckedChange={onToggle}
      aria-label={t('select', { name })}
      className="before:-inset-1.5 absolute top-2.5 before:absolute before:rounded-full left-3 flex size-8 items-center justify-center rounded-full border border-line-strong bg-surface text-on-accent opacity-0 focus-visible:opacity-100 group-hover:opacity-100 data-checked:border-accent data-checked:bg-accent data-checked:opacity-100"
    >
      <Checkbox.Indicator>
        <Check aria-hidden className="size-4" strokeWidth={3} />
      </Checkbox.Indicator>
    </Checkbox.Root>
  );
}
