import { ArrowDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Button } from '../../kit/button';
import { useChoosing } from './choosing';
import { messages as jump } from './jump-messages';
import type { Row } from './message-rows';
import { messages as t } from './messages';

/** Distance from an end, in pixels, at which more messages are loaded. */
const LOAD_AHEAD = 400;
const AT_END = 24;

interface MessageScrollerProps {
  readonly rows: readonly Row[];
  /** The message to open at. Absent opens at the newest one. */
  readonly anchorId: string | undefined;
  /** Whether newer messages are not loaded yet. */
  readonly hasNewer: boolean;
  readonly onNearStart: () => void;
  readonly onNearEnd: () => void;
  readonly onShowNewest: () => void;
}

/** Renders only the rows in view. Messages that are loaded later do not move the visible ones. */
export function MessageScroller(props: MessageScrollerProps) {
  const { rows, anchorId, hasNewer, onShowNewest } = props;
  const { handle, isAway, isPrepending, scrolled, showEnd } = useScrolling(props);
  const { log, keepMounted } = useChoosing(rows, handle);
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={log}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
        tabIndex={0}
        aria-label={t('messages')}
        className="flex min-h-0 grow flex-col overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="grow" />
        <Virtualizer ref={handle} shift={isPrepending} keepMounted={keepMounted} onScroll={scrolled}>
          {rows.map(({ key, content }) => (
            <div
              key={key}
              className={key === anchorId ? 'bg-hover shadow-[inset_3px_0_0_var(--accent)]' : undefined}
            >
              {content}
            </div>
          ))}
        </Virtualizer>
        <div className="h-3 shrink-0" />
      </div>
      {(isAway || hasNewer) && (
        <Button
          size="icon"
          aria-label={jump('newest')}
          className="absolute right-4 bottom-3 rounded-full shadow-raised"
          onClick={anchorId === undefined ? showEnd : onShowNewest}
        >
          <ArrowDown aria-hidden className="size-4" />
        </Button>
      )}
    </div>
  );
}

function useScrolling({ rows, anchorId, hasNewer, onNearStart, onNearEnd }: MessageScrollerProps) {
  const handle = useRef<VirtualizerHandle>(null);
  const isAtEnd = useRef(anchorId === undefined);
  const hasMoved = useRef(false);
  const [isAway, setAway] = useState(false);
  const shown = useRef({ first: '', last: '' });
  // The first row is a day separator, which stays when older messages of that day are prepended.
  const first = rows.find(({ isMessage }) => isMessage)?.key ?? '';
  const last = rows.at(-1)?.key ?? '';
  const isPrepending = shown.current.last === last && shown.current.first !== first;
  const showEnd = () => handle.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  useEffect(() => {
    const isNew = shown.current.last === '';
    shown.current = { first, last };
    if (isNew && anchorId !== undefined) {
      const index = rows.findIndex(({ key }) => key === anchorId);
      handle.current?.scrollToIndex(index, { align: 'center' });
    } else if (isAtEnd.current) handle.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [first, last, rows, anchorId]);
  useEffect(() => {
    const view = handle.current;
    // At the very top, scrolling up does not fire a scroll event, so older messages are loaded here.
    if (
      first !== '' &&
      hasMoved.current &&
      !isAtEnd.current &&
      view !== null &&
      view.scrollOffset < LOAD_AHEAD
    )
      onNearStart();
  }, [first, onNearStart]);
  const scrolled = (offset: number) => {
    const view = handle.current;
    if (view === null) return;
    hasMoved.current = true;
    const left = view.scrollSize - offset - view.viewportSize;
    // While newer messages are missing, the end of the loaded messages is not the end of the conversation.
    isAtEnd.current = left <= AT_END && !hasNewer;
    setAway(left > LOAD_AHEAD);
    if (left < LOAD_AHEAD) onNearEnd();
    if (offset < LOAD_AHEAD && !isAtEnd.current) onNearStart();
  };
  return { handle, isAway, isPrepending, scrolled, showEnd };
}
