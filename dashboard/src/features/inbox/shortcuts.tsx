import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { messages as jump } from './jump-messages';
import { messages as markdown } from './markdown/messages';
import { messages as t } from './messages';

const OFF = 'shortcuts.off';

const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]';

/** Calls the action of a key, never while the person types, chooses from a menu or holds a modifier. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (isTyping || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat)
        return;
      if (localStorage.getItem(OFF) !== null && event.key !== '?') return;
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [actions]);
}

/** Each key with what it does. */
const KEYS = [
  ['J', jump('next')],
  ['K', jump('previous')],
  ['R', t('write')],
  ['E', t('resolve')],
  ['A', t('assign')],
  ['Z', t('snooze')],
  ['?', t('shortcuts')],
  ['Ctrl/⌘ B', markdown('bold')],
  ['Ctrl/⌘ I', markdown('italic')],
  ['Ctrl/⌘ E', markdown('code')],
  ['Ctrl/⌘ K', markdown('link')],
];

/** `?` shows every key, and turns them off for those who use other ones. */
export function ShortcutHelp() {
  const [isOpen, setOpen] = useState(false);
  const [isOff, setOff] = useState(() => localStorage.getItem(OFF) !== null);
  useShortcuts({ '?': () => setOpen(true) });
  const toggle = () => {
    if (isOff) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
    setOff(!isOff);
  };
  return (
    <>
      <Button
        kind="quiet"
        size="icon"
        aria-label={t('shortcuts')}
        className="max-md:hidden"
        onClick={() => setOpen(true)}
      >
        <Keyboard aria-hidden className="size-4" />
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('shortcuts')}
        actions={<Button onClick={toggle}>{isOff ? t('shortcutsOn') : t('shortcutsOff')}</Button>}
      >
        <dl className={`grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 ${isOff ? 'text-muted line-through' : ''}`}>
          {KEYS.map(([key, text]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-sm border border-line bg-canvas px-1.5 font-sans text-sm">{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
