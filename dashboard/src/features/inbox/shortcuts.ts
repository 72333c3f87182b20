import { useEffect } from 'react';

const OFF = 'shortcuts.off';

export const areShortcutsOff = (): boolean => localStorage.getItem(OFF) !== null;

export function turnShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, '1');
}

const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]';

/** Calls the action of a key, never while the person types, chooses from a menu or holds a modifier. `accepts` narrows where the focus may be. */
export function useShortcuts(
  actions: Readonly<Record<string, () => void>>,
  accepts: (target: EventTarget | null) => boolean = () => true,
): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (isTyping || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.repeat && !event.key.startsWith('Arrow')) return;
      if (areShortcutsOff() && event.key !== '?') return;
      const action = actions[event.key];
      if (action === undefined || !accepts(event.target)) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [actions, accepts]);
}
