import { useQueryClient } from '@tanstack/react-query';
import type { Pages } from './live-lists';

/** The labels of the loaded conversations, which a field with this list suggests. */
export function LabelChoices({ id }: { readonly id: string }) {
  const lists = useQueryClient().getQueriesData<Partial<Pages>>({ queryKey: ['conversations'] });
  const rows = lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ data }) => data);
  const labels = [...new Set(rows.flatMap((row) => row.labels))].sort();
  return (
    <datalist id={id}>
      {labels.map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}
