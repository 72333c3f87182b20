import { type KeyboardEvent, useId, useRef } from 'react';
import { pasting } from '../../../kit/attaching';
import { formatByKey } from '../markdown/keys';
import { messages as inbox } from '../messages';
import type { Conversation } from '../views';
import { useCompleting } from './completing';
import { messages as t } from './messages';
import { optionId, SuggestionList } from './suggestion-list';

const MAX_LENGTH = 10_000;
/** In milliseconds. Some browsers report the key that ends a composition after the end of the composition. */
const AFTER_COMPOSITION_MS = 50;

interface TextFieldProps {
  readonly conversation: Conversation;
  readonly text: string;
  readonly isNote: boolean;
  /** Whether shortcuts such as Ctrl+B format the text. */
  readonly isMarkdown: boolean;
  readonly onChange: (text: string) => void;
  readonly onFiles: (files: Iterable<File>) => void;
  readonly onSend: () => void;
}

/**
 * The text of a message, with suggestions for templates and members. It is a plain field, because rich editors break input
 * methods.
 */
export function TextField(props: TextFieldProps) {
  const { conversation, text, isNote, isMarkdown, onChange, onFiles, onSend } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const completing = useCompleting({ conversation, text, isNote, field, onChange });
  const { isOpen, kind, suggestions, active, choose } = completing;
  const enter = useEnter(onSend);
  return (
    <div className="relative min-w-0">
      {isOpen && (
        <SuggestionList
          id={listId}
          title={t(kind === 'member' ? 'members' : 'templates')}
          suggestions={suggestions}
          active={active}
          onChoose={choose}
        />
      )}
      <textarea
        ref={field}
        data-composer
        aria-label={inbox('write')}
        aria-autocomplete="list"
        {...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': optionId(listId, active) })}
        placeholder={inbox(isNote ? 'noteHint' : isTouched ? 'write' : 'writeHint')}
        rows={Math.min(8, text.split('\n', 8).length + 1)}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onSelect={completing.moved}
        onBlur={completing.close}
        className="field-sizing-content block max-h-48 min-h-16 w-full resize-none bg-transparent px-3 py-2 text-base text-text outline-none placeholder:text-muted touch:text-[1rem]"
        onPaste={pasting(onFiles)}
        onCompositionEnd={enter.composed}
        onKeyDown={(event) => {
          if (enter.isComposing(event) || completing.pressed(event) || leaving(event)) return;
          if (!isMarkdown || !formatByKey(event)) enter.pressed(event);
        }}
      />
    </div>
  );
}

/** Escape moves the focus to the messages, where shortcuts work. */
function leaving(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false;
  document.querySelector<HTMLElement>('[role="log"]')?.focus();
  return true;
}

/** The keyboard of a phone has no Shift+Enter, so its Enter breaks the line. */
const isTouched = matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Enter sends and Shift+Enter inserts a line break. Enter that confirms a word of an input method does neither. */
function useEnter(send: () => void) {
  const composedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    composed: ({ timeStamp }: { timeStamp: number }) => {
      composedAt.current = timeStamp;
    },
    isComposing: (event: KeyboardEvent) =>
      event.nativeEvent.isComposing ||
      event.keyCode === 229 ||
      (event.key === 'Enter' && event.timeStamp - composedAt.current < AFTER_COMPOSITION_MS),
    pressed: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.shiftKey || isTouched) return;
      event.preventDefault();
      send();
    },
  };
}
