import { useState } from 'react';

const KEY = 'composer.markdown';

/** Whether the user writes Markdown. The setting applies to all conversations in this browser. */
export function useMarkdown(): [boolean, (isMarkdown: boolean) => void] {
  const [isMarkdown, setMarkdown] = useState(() => localStorage.getItem(KEY) !== null);
  const choose = (next: boolean) => {
    if (next) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
    setMarkdown(next);
  };
  return [isMarkdown, choose];
}
