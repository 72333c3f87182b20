/** A user-written text that scrolls if it is long, also by keyboard. */
export function ScrolledText({ children }: { readonly children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard.
    <p tabIndex={0} className="untrusted max-h-40 overflow-y-auto whitespace-pre-wrap break-words">
      {children}
    </p>
  );
}
