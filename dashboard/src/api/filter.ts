/** Quotes a text of any characters as a filter value. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
