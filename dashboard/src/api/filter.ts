/** A text as a value of a filter, whatever characters it has. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
