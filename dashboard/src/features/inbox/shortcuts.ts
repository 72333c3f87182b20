import { useEffect } from 'react';

const OFF = 'shortcuts.off';

export const areShortcutsOff = (): boolean => localStorage.getItem(OFF) !== null;

export function turnShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, '1');
}

const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]';

function isShortcut(event: KeyboardEvent): boolean {
  const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
  if (isTyping || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.repeat && !event.key.startsWith('Arrow')) return false;
  return !areShortcutsOff() || event.key === '?';
}

/**
 * Calls the action of a key, except while the user types, uses a menu or holds a modifier. `accepts` restricts where the focus
 * may be.
 */
export function useShortcuts(
  actions: Readonly<Record<string, () => void>>,
  accepts: (target: EventTarget | null) => boolean = () => true,
): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      const action = actions[event.key];
      if (action === undefined || !accepts(event.target)) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [actions, accepts]);
}

/** Activates the control that declares the key in `aria-keyshortcuts`, such as `L` or `Shift+E`. A field receives the focus. */
export function useDeclaredShortcuts(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const control = isShortcut(event) ? controlOf(nameOf(event)) : undefined;
      if (control === undefined) return;
      event.preventDefault();
      if (control instanceof HTMLInputElement) control.focus();
      else control.click();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function nameOf({ key, shiftKey }: KeyboardEvent): string {
  return shiftKey && /^[A-Z]$/.test(key) ? `Shift+${key}` : key.toUpperCase();
}

function controlOf(name: string): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(name)}"]`);
  return [...all].find((each) => each.checkVisibility());
}
