import type { KeyboardEvent } from 'react';
import { formatting } from './wrapping';

/**
 * Formats the selection of a text field. Returns whether the key is a formatting shortcut. The browser's undo reverts the change.
 */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const isPlain = event.shiftKey || event.altKey || event.ctrlKey === event.metaKey;
  if (isPlain) return false;
  const { currentTarget: field, key } = event;
  const change = formatting(key, field.value, field.selectionStart, field.selectionEnd);
  if (change === undefined) return false;
  event.preventDefault();
  field.setSelectionRange(change.start, change.end);
  // Unlike setRangeText, this command keeps the undo history of the browser.
  document.execCommand('insertText', false, change.insert);
  field.setSelectionRange(change.select.start, change.select.end);
  return true;
}
