const FOLLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** An absolute address that a click may open; undefined for every other one. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return FOLLOWED.has(protocol) ? href : undefined;
}
