/** The style of popups above the page. */
export const popupLook =
  'max-h-(--available-height) max-w-80 overflow-y-auto rounded-lg border border-line bg-surface p-1 text-text shadow-raised outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0';
