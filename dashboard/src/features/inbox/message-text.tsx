import { lazy, Suspense } from 'react';
import { LinkedText } from '../../kit/linked-text';
import type { Message } from './message-pages';

const Rendered = lazy(() => import('../../kit/markdown/rendered'));

/** The formatted text of a message. Line breaks are preserved. */
export function MessageText({ text, content_type }: Pick<Message, 'text' | 'content_type'>) {
  if (text === '') return null;
  const look = 'untrusted max-w-prose whitespace-pre-wrap';
  if (content_type === 'text')
    return (
      <p className={look}>
        <LinkedText text={text} />
      </p>
    );
  return (
    <div className={look}>
      <Suspense fallback={text}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
