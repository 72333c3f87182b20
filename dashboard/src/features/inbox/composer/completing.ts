import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Conversation } from '../views';
import { type Suggestion, useSuggestions } from './suggestions';
import { triggerAt, withSuggestion } from './trigger';

interface CompletingOptions {
  readonly conversation: Conversation;
  readonly text: string;
  readonly isNote: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (text: string) => void;
}

/** Provides the suggestions that the field shows, and handles their keys. */
export function useCompleting({ conversation, text, isNote, field, onChange }: CompletingOptions) {
  const [caret, setCaret] = useState(0);
  /** The text at which the list was closed. */
  const [closedFor, setClosedFor] = useState('');
  const select = useSelectionAfterRender(field);
  const trigger = closedFor === text ? undefined : triggerAt(text, caret, isNote);
  const suggestions = useSuggestions(trigger, conversation);
  const choose = ({ insert }: Suggestion) => {
    if (trigger === undefined) return;
    const next = withSuggestion(text, trigger, insert);
    select(next);
    onChange(next.text);
    setClosedFor(next.text);
  };
  const close = () => setClosedFor(text);
  const isOpen = trigger !== undefined && suggestions.length > 0;
  const keys = useListKeys(suggestions, choose, close);
  return {
    isOpen,
    kind: trigger?.kind,
    suggestions,
    active: keys.active,
    choose,
    close,
    moved: () => setCaret(field.current?.selectionStart ?? 0),
    /** Returns whether the list handled the key. */
    pressed: (event: KeyboardEvent): boolean => isOpen && keys.pressed(event),
  };
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Selects a text range after the field has rendered the text. */
function useSelectionAfterRender(field: RefObject<HTMLTextAreaElement | null>): (range: TextRange) => void {
  const wanted = useRef<TextRange>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    field.current?.setSelectionRange(wanted.current.start, wanted.current.end);
    wanted.current = undefined;
  });
  return (range) => {
    wanted.current = range;
  };
}

function useListKeys(
  suggestions: readonly Suggestion[],
  choose: (suggestion: Suggestion) => void,
  close: () => void,
) {
  const [index, setIndex] = useState(0);
  const count = suggestions.length;
  const active = Math.max(0, Math.min(index, count - 1));
  const chooseActive = () => {
    const chosen = suggestions[active];
    setIndex(0);
    if (chosen !== undefined) choose(chosen);
  };
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setIndex((active + 1) % count),
    ArrowUp: () => setIndex((active - 1 + count) % count),
    Enter: chooseActive,
    Tab: chooseActive,
    Escape: close,
  };
  const pressed = (event: KeyboardEvent): boolean => {
    const action = event.shiftKey ? undefined : actions[event.key];
    if (action === undefined) return false;
    event.preventDefault();
    action();
    return true;
  };
  return { active, pressed };
}
