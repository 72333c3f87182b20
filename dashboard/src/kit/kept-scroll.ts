import { useLocation, useMatch } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The scroll position of each entry of the history. */
const positions = new Map<string, number>();

/** Scrolls to where the user left this entry of the history, and to the top of a new one. */
export function useKeptScroll(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  // The location changes before the next screen replaces this one.
  const entry = useLocation({
    select: ({ pathname, state }) => (pathname === own ? state.__TSR_key : undefined),
  });
  useLayoutEffect(() => {
    const scrolled = place.current;
    if (scrolled === null || entry === undefined) return;
    scrolled.scrollTop = positions.get(entry) ?? 0;
    return () => void positions.set(entry, scrolled.scrollTop);
  }, [entry]);
  return place;
}
