/** `type/subtype` of a Content-Type header, and its parameters as they were sent; both without blanks around them. */
export interface MediaType {
  readonly essence: string;
  readonly parameters: readonly string[];
}

/** Empty parameters count as none (RFC 9110, 5.6.6). The time is linear: a header may hold 16 KB of anything. */
export function readMediaType(header: string): MediaType {
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim());
  return { essence: essence.toLowerCase(), parameters: parameters.filter((part) => part !== '') };
}
