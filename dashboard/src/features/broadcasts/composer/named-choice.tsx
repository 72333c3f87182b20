import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChosenList } from '../../../kit/chosen-list';
import { Field } from '../../../kit/field';
import { type Option, SearchChoice } from '../../../kit/search-choice';
import { chosenQuery, type Kind, useSearch } from './found';
import { messages as t } from './messages';

interface NamedChoiceProps<Row extends Option> {
  readonly kind: Kind<Row>;
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  /** Placeholder of the empty field. */
  readonly placeholder: string;
  readonly ids: readonly string[];
  readonly nameOf: (row: Row) => string;
  /** Label of a deleted record. */
  readonly other: string;
  readonly onChoose: (id: string) => void;
  readonly onRemove: (id: string) => void;
}

/** Selects segments or templates by searching all names of the workspace. Renders nothing if there are none. */
export function NamedChoice<Row extends Option>(props: NamedChoiceProps<Row>) {
  const { kind, label, help, error, placeholder, ids, nameOf, other, onChoose, onRemove } = props;
  const { text, setText, found, isSearching } = useSearch(kind);
  const { data = [] } = useQuery({ ...chosenQuery(kind, ids), enabled: ids.length > 0 });
  // Known before the service responds again.
  const [met, setMet] = useState<readonly Row[]>([]);
  if (found === undefined || (found.rows.length + ids.length === 0 && text === '' && !isSearching))
    return null;
  const rows = new Map([...met, ...data].map((row) => [row.id, row]));
  const named = (row: Row | undefined) => (row === undefined ? other : nameOf(row));
  const left = found.rows.filter(({ id }) => !ids.includes(id));
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} help={help} error={error}>
        <SearchChoice
          placeholder={placeholder}
          text={text}
          onSearch={setText}
          options={left.map((row) => ({ id: row.id, name: nameOf(row), row }))}
          hasMore={found.hasMore}
          isSearching={isSearching}
          onChoose={({ row }) => {
            setMet((old) => [...old, row]);
            onChoose(row.id);
          }}
        />
      </Field>
      <ChosenList
        label={label}
        chosen={ids}
        nameOf={(id) => named(rows.get(id))}
        removeLabel={(name) => t('remove', { name })}
        onRemove={onRemove}
      />
    </div>
  );
}
