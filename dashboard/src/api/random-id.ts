/** A random UUID (version 4). `crypto.randomUUID` exists only in secure contexts, and the service may run on plain HTTP. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const [a, b, c, d, e] = [0, 8, 13, 17, 20].map((start, index) =>
    digits.slice(start, [8, 12, 16, 20, 32][index]),
  );
  return `${a}-${b}-4${c}-8${d}-${e}`;
}
