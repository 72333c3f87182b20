import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { inputLook } from './field';
import { popupLook } from './popup';

interface SelectProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** The label of each value, in display order. */
  readonly options: Readonly<Record<Value, string>>;
  /** Required outside of a Field. */
  readonly label?: string;
  readonly className?: string;
}

export function Select<Value extends string>({
  value,
  onChange,
  options,
  label,
  className = '',
}: SelectProps<Value>) {
  const entries = Object.entries(options) as [Value, string][];
  return (
    <BaseSelect.Root
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onChange(next as Value)}
    >
      <BaseSelect.Trigger
        aria-label={label}
        className={`${inputLook} flex h-8 touch:h-10 items-center justify-between gap-2 ${className}`}
      >
        <BaseSelect.Value className="truncate" />
        <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <BaseSelect.Popup className={`${popupLook} min-w-(--anchor-width)`}>
            {entries.map(([each, text]) => (
              <BaseSelect.Item
                key={each}
                value={each}
                className="flex items-center justify-between gap-4 rounded-sm px-2 py-1.5 text-sm outline-none touch:min-h-10 data-highlighted:bg-hover"
              >
                <BaseSelect.ItemText className="untrusted">{text}</BaseSelect.ItemText>
                <BaseSelect.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent-text" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
