/** Leads to the text of the open conversation. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-composer]')?.focus();
}
