import { Combobox } from '@base-ui/react/combobox';
import { inputLook } from './field';
import { messages as t } from './messages';
import { popupLook } from './popup';

export interface Option {
  readonly id: string;
  readonly name: string;
}

interface SearchChoiceProps<Found extends Option> {
  /** Placeholder of the empty field. */
  readonly placeholder: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  /** The results of the service for the text. */
  readonly options: readonly Found[];
  /** Whether more names contain the text. */
  readonly hasMore: boolean;
  readonly isSearching: boolean;
  readonly onChoose: (option: Found) => void;
}

/** A search field for choices that are too many for a list, for use inside a Field. Selecting a result clears the field. */
export function SearchChoice<Found extends Option>(props: SearchChoiceProps<Found>) {
  const { placeholder, text, onSearch, options, hasMore, isSearching, onChoose } = props;
  return (
    <Combobox.Root
      items={options}
      // The service has already filtered the results.
      filter={null}
      value={null}
      inputValue={text}
      autoHighlight
      itemToStringLabel={({ name }: Found) => name}
      onValueChange={(option: Found | null) => option !== null && onChoose(option)}
      onInputValueChange={(next, { reason }) => onSearch(reason === 'item-press' ? '' : next)}
    >
      <Combobox.Input placeholder={placeholder} maxLength={256} className={`${inputLook} h-8 touch:h-10`} />
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-50">
          <Combobox.Popup aria-busy={isSearching} className={`${popupLook} w-(--anchor-width) max-w-full`}>
            <Combobox.List className="max-h-72 overflow-y-auto">
              {(option: Found) => (
                <Combobox.Item
                  key={option.id}
                  value={option}
                  className="untrusted truncate rounded-sm px-2 py-1.5 text-sm outline-none touch:py-2.5 data-highlighted:bg-hover"
                >
                  {option.name}
                </Combobox.Item>
              )}
            </Combobox.List>
            <Combobox.Status className="px-2 text-muted text-sm">
              {noteOf({ count: options.length, hasMore, isSearching })}
            </Combobox.Status>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

interface Outcome {
  readonly count: number;
  readonly hasMore: boolean;
  readonly isSearching: boolean;
}

function noteOf({ count, hasMore, isSearching }: Outcome) {
  if (isSearching) return t('searching');
  if (hasMore) return t('moreFound');
  return count === 0 ? t('nothingFound') : null;
}
