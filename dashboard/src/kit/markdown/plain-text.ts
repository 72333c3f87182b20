import { useSyncExternalStore } from 'react';
import type { plainOf } from './plain';

/** Long enough for any preview, and short enough for a text of megabytes. */
const MAX_CHARACTERS = 2_000;

let read: typeof plainOf | undefined;

/** The parser is loaded with the first Markdown text. Until then, and without a network, the text shows its marks. */
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
  /** Absent: plain text. */
  readonly content_type?: 'text' | 'markdown' | undefined;
}

/** The beginning of a message without the marks of its format, for lists and quotes. */
export function usePlainText({ text, content_type: type }: Said): string {
  const isMarkdown = type === 'markdown';
  const plain = useSyncExternalStore(isMarkdown ? loadParser : needsNothing, () => read);
  return isMarkdown && plain !== undefined ? plain(text.slice(0, MAX_CHARACTERS)) : text;
}
