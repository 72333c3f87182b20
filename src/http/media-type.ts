/** `type/subtype` of a Content-Type header in lower case, and its parameters as sent. Surrounding whitespace is removed. */
export interface MediaType {
  readonly essence: string;
  readonly parameters: readonly string[];
}

/** Ignores empty parameters (RFC 9110, 5.6.6). The time is linear, because a header may contain 16 KB of any data. */
export function readMediaType(header: string): MediaType {
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim());
  return { essence: essence.toLowerCase(), parameters: parameters.filter((part) => part !== '') };
}
