/** Focuses the text field of the open conversation. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-composer]')?.focus();
}
