const MAX_LENGTH = 1_024;
/** Maximum number of UTF-8 bytes per UTF-16 unit. */
const MAX_BYTES = 3;

/**
 * The beginning of a response as text. Values of `secrets` are hidden, because a receiver may echo the request. Undefined if
 * there is no body or the body is not text.
 */
export function excerptOf(body: Uint8Array, secrets: readonly string[]): string | undefined {
  const hidden = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, escaped(secret)]);
  // This part includes the end of every secret that begins in the excerpt.
  const longest = Math.max(0, ...hidden.map((secret) => secret.length));
  const part = body.subarray(0, MAX_BYTES * (MAX_LENGTH + longest));
  if (part.includes(0)) return undefined;
  const read = new TextDecoder().decode(part, { stream: part.length < body.length });
  const text = withoutSecrets(read, hidden)
    .replaceAll('\r\n', '\n')
    .slice(0, MAX_LENGTH)
    .replace(/\p{Cc}/gu, shown)
    .replace(/\p{Cs}/gu, '');
  return text.trim() === '' ? undefined : text;
}

/**
 * The beginning of a text with `***` in place of secrets, the longest first. The rest is left out, because it may begin with a
 * part of a secret.
 */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
  const pieces: string[] = [];
  for (let at = 0; at < Math.min(MAX_LENGTH, text.length); ) {
    const secret = longestFirst.find((each) => text.startsWith(each, at));
    pieces.push(secret === undefined ? text.charAt(at) : '***');
    at += secret?.length ?? 1;
  }
  return pieces.join('');
}

/** The value in its JSON form. */
const escaped = (secret: string): string => JSON.stringify(secret).slice(1, -1);

const shown = (control: string): string => (control === '\n' || control === '\t' ? control : '\uFFFD');
