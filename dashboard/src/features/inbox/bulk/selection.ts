import { useCallback, useMemo, useState } from 'react';
import { usePermissions } from '../../../api/session';
import type { Conversation } from '../views';

export interface Selected {
  readonly conversations: readonly Conversation[];
  readonly has: (id: string) => boolean;
  readonly clear: () => void;
  /** Absent for users with read-only access. */
  readonly toggle?: (id: string) => void;
}

/** The rows that the user selected. A row that leaves the list is deselected. */
export function useSelected(rows: readonly Conversation[]): Selected {
  const { canWrite } = usePermissions();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setIds((old) => {
        const next = new Set(old);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setIds(new Set()), []);
  const conversations = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  return { conversations, has: (id) => ids.has(id), clear, ...(canWrite && { toggle }) };
}
