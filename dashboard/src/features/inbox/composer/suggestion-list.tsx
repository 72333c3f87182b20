import { popupLook } from '../../../kit/popup';
import type { Suggestion } from './suggestions';

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

interface SuggestionListProps {
  readonly id: string;
  readonly title: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  readonly onChoose: (suggestion: Suggestion) => void;
}

/** Shown above the text field, which keeps the focus. */
export function SuggestionList({ id, title, suggestions, active, onChoose }: SuggestionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={title}
      className={`${popupLook} absolute bottom-full left-0 z-20 mb-1 w-full max-w-md`}
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the text field.
        // biome-ignore lint/a11y/useFocusableInteractive: the text field names the active option.
        <div
          key={suggestion.id}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          className="rounded-sm px-2 py-1.5 hover:bg-hover aria-selected:bg-selected"
          // Keeps the focus in the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
        >
          <p className="untrusted truncate font-medium text-sm">{suggestion.title}</p>
          {suggestion.detail !== '' && (
            <p className="untrusted truncate text-muted text-xs">{suggestion.detail}</p>
          )}
        </div>
      ))}
    </div>
  );
}
