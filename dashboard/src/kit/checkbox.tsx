import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

interface CheckboxProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

export function Checkbox({ isChecked, onChange, children }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox of Base UI contains an input.
    <label className="flex items-center gap-2 text-sm touch:min-h-10">
      <BaseCheckbox.Root
        checked={isChecked}
        onCheckedChange={onChange}
        className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface text-on-accent data-checked:border-accent data-checked:bg-accent"
      >
        <BaseCheckbox.Indicator>
          <Check aria-hidden className="size-3.5" strokeWidth={3} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span>{children}</span>
    </label>
  );
}
