const FOLLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Returns an absolute address that a link may open, or undefined for any other address. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return FOLLOWED.has(protocol) ? href : undefined;
}
