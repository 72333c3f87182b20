import type { KeyboardEvent } from 'react';
import { formatting } from './wrapping';

/** Formats the selection of a text field and answers whether the key did. The browser's own undo takes it back. */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const isPlain = event.shiftKey || event.altKey || event.ctrlKey === event.metaKey;
  if (isPlain) return false;
  const { currentTarget: field, key } = event;
  const change = formatting(key, field.value, field.selectionStart, field.selectionEnd);
  if (change === undefined) return false;
  event.preventDefault();
  field.setSelectionRange(change.start, change.end);
  // The only way that leaves the change to the undo of the browser, which setRangeText empties.
  document.execCommand('insertText', false, change.insert);
  field.setSelectionRange(change.select.start, change.select.end);
  return true;
}
