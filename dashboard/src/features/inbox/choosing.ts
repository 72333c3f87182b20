import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Row } from './message-rows';
import { useShortcuts } from './shortcuts';

interface Choice {
  readonly key: string;
  readonly index: number;
}

/** The arrow keys select a message and focus it. The message stays mounted while it is out of view. */
export function useChoosing(rows: readonly Row[], handle: RefObject<VirtualizerHandle | null>) {
  const log = useRef<HTMLDivElement>(null);
  const [choice, choose] = useState<Choice>();
  useEffect(() => {
    if (choice === undefined) return;
    handle.current?.scrollToIndex(choice.index, { align: 'nearest' });
    const selector = `[data-message="${CSS.escape(choice.key)}"]`;
    log.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }, [choice, handle]);
  const keys = useMemo(() => {
    const step = (by: -1 | 1) => () => {
      const index = nextIndex(rows, startOf(rows, choice), by) ?? newestInView(rows, handle.current);
      const row = index === undefined ? undefined : rows[index];
      if (index !== undefined && row !== undefined) choose({ key: row.key, index });
    };
    return { ArrowUp: step(-1), ArrowDown: step(1) };
  }, [rows, choice, handle]);
  useShortcuts(keys, isAmongMessages);
  const kept = choice === undefined ? -1 : rows.findIndex(({ key }) => key === choice.key);
  return { log, keepMounted: kept === -1 ? [] : [kept] };
}

/** Elsewhere, as in the list of conversations, arrow keys scroll or select other content. */
function isAmongMessages(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest('[role="log"]') !== null);
}

/** The row from which the arrow keys continue: the focused message, or the position of a deleted one. */
function startOf(rows: readonly Row[], choice: Choice | undefined): number | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message;
  const index = rows.findIndex(({ key }) => key === focused);
  if (index !== -1) return index;
  return choice !== undefined && !rows.some(({ key }) => key === choice.key) ? choice.index : undefined;
}

function nextIndex(rows: readonly Row[], start: number | undefined, by: -1 | 1): number | undefined {
  if (start === undefined) return undefined;
  let index = start + by;
  while (rows[index]?.isMessage === false) index += by;
  return rows[index] === undefined ? Math.min(start, rows.length - 1) : index;
}

function newestInView(rows: readonly Row[], view: VirtualizerHandle | null): number | undefined {
  if (view === null) return undefined;
  let index = Math.min(view.findItemIndex(view.scrollOffset + view.viewportSize - 1), rows.length - 1);
  while (index > 0 && rows[index]?.isMessage === false) index -= 1;
  return rows[index]?.isMessage ? index : undefined;
}
