import { useSyncExternalStore } from 'react';
import type { plainOf } from './plain';

/** Long enough for any preview, and short enough to limit the work for a text of megabytes. */
const MAX_CHARACTERS = 2_000;

let read: typeof plainOf | undefined;

/** The parser is loaded with the first Markdown text. Until then, and while offline, the text shows its Markdown marks. */
function loadParser(onLoad: () => void): () => void {
  let isWaiting = true;
  if (read === undefined)
    import('./plain').then(
      (module) => {
        read = module.plainOf;
        if (isWaiting) onLoad();
      },
      () => undefined,
    );
  return () => {
    isWaiting = false;
  };
}

const needsNothing = () => () => undefined;

interface Said {
  readonly text: string;
  /** Absent means plain text. */
  readonly content_type?: 'text' | 'markdown' | undefined;
}

/** The beginning of a message without its Markdown marks, for lists and quotes. */
export function usePlainText({ text, content_type: type }: Said): string {
  const isMarkdown = type === 'markdown';
  const plain = useSyncExternalStore(isMarkdown ? loadParser : needsNothing, () => read);
  return isMarkdown && plain !== undefined ? plain(text.slice(0, MAX_CHARACTERS)) : text;
}
