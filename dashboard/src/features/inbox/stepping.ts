import { useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Selected } from './bulk/selection';
import { useShortcuts } from './shortcuts';
import { type Conversation, readSearch, withoutMessage } from './views';

interface Stepping {
  readonly rows: readonly Conversation[];
  readonly list: RefObject<VirtualizerHandle | null>;
  readonly toggle: Selected['toggle'];
  /** Loads the next page. */
  readonly onEnd: () => void;
}

/** `J` and `K` open the next and the previous conversation and scroll to it. `X` selects the open one. */
export function useStepping({ rows, list, toggle, onEnd }: Stepping): void {
  const { number } = useParams({ strict: false });
  const navigate = useNavigate();
  const index = rows.findIndex((each) => String(each.number) === number);
  const place = usePlace(number, index);
  const keys = useMemo(() => {
    const open = (at: number) => {
      const next = rows[at];
      if (next === undefined) {
        if (at > 0) onEnd();
        return;
      }
      const params = { number: String(next.number) };
      list.current?.scrollToIndex(at, { align: 'nearest' });
      void navigate({ to: '/inbox/$number', params, search: (old) => withoutMessage(readSearch(old)) });
    };
    const chosen = rows[index];
    // The conversation after one that left the list is now at its place.
    const isGone = index === -1;
    return {
      j: () => open(isGone ? Math.min(place.current, rows.length - 1) : index + 1),
      k: () => open(isGone ? Math.max(place.current - 1, 0) : index - 1),
      ...(chosen !== undefined && toggle !== undefined && { x: () => toggle(chosen.id) }),
    };
  }, [rows, index, place, list, navigate, toggle, onEnd]);
  useShortcuts(keys);
}

/** The last place of the open conversation in the list. 0 if it was never there. */
function usePlace(number: string | undefined, index: number) {
  const place = useRef(0);
  const known = useRef(number);
  useEffect(() => {
    if (index !== -1) place.current = index;
    else if (known.current !== number) place.current = 0;
    known.current = number;
  }, [number, index]);
  return place;
}
