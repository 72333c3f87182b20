import { lazy, Suspense } from 'react';

const Rendered = lazy(() => import('./markdown/rendered'));

interface ScrolledTextProps {
  readonly text: string;
  readonly isMarkdown: boolean;
}

/** A user-written text that scrolls if it is long, also by keyboard. */
export function ScrolledText({ text, isMarkdown }: ScrolledTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard.
    <div tabIndex={0} className="untrusted max-h-40 overflow-y-auto whitespace-pre-wrap break-words">
      {isMarkdown ? (
        <Suspense fallback={text}>
          <Rendered text={text} />
        </Suspense>
      ) : (
        text
      )}
    </div>
  );
}
