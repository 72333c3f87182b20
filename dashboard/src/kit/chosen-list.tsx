import { X } from 'lucide-react';
import { Button } from './button';

interface ChosenListProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly nameOf: (value: string) => string;
  /** Label of the button that removes a value. */
  readonly removeLabel: (name: string) => string;
  readonly onRemove: (value: string) => void;
  readonly className?: string;
}

/**
 * Shows the selected values, each with a remove button. After a removal, the focus moves to the adjacent field that adds values.
 * The button no longer exists then, and a dialog would otherwise take the focus away from the next input.
 */
export function ChosenList({
  label,
  chosen,
  nameOf,
  removeLabel,
  onRemove,
  className = '',
}: ChosenListProps) {
  if (chosen.length === 0) return null;
  return (
    <ol aria-label={label} className={`flex flex-wrap gap-2 ${className}`}>
      {chosen.map((value) => (
        <li
          key={value}
          className="flex min-w-0 max-w-full items-center gap-1 rounded-md border border-line bg-hover pl-2 text-sm"
        >
          <span className="untrusted truncate">{nameOf(value)}</span>
          <Button
            size="sm"
            kind="quiet"
            aria-label={removeLabel(nameOf(value))}
            onClick={({ currentTarget }) => {
              fieldNextTo(currentTarget)?.focus();
              onRemove(value);
            }}
          >
            <X aria-hidden className="size-3.5" />
          </Button>
        </li>
      ))}
    </ol>
  );
}

function fieldNextTo(button: HTMLElement): HTMLElement | undefined {
  const fields = button.closest('ol')?.parentElement?.querySelectorAll<HTMLElement>('[role="combobox"]');
  return fields && [...fields].at(-1);
}
