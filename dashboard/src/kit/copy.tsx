import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';
import { messages as t } from './messages';

const CONFIRMED_MS = 2_000;

/** A text to copy: a key, an address, a command. */
export function CopyBox({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
  };
  return (
    <div
      className={`flex items-start gap-2 rounded-md border border-line bg-canvas p-2 ${text.includes('\n') ? 'max-sm:flex-col-reverse max-sm:items-end' : ''}`}
    >
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
        tabIndex={0}
        className="min-w-0 max-w-full grow overflow-x-auto max-sm:self-stretch"
      >
        <pre className="font-mono text-xs leading-6">{text}</pre>
      </section>
      <Button size="sm" onClick={() => void copy()}>
        {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
        {isCopied ? t('copied') : t('copy')}
      </Button>
    </div>
  );
}

/** Browsers offer the clipboard only to pages on HTTPS and localhost. Elsewhere users select and copy the text. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
