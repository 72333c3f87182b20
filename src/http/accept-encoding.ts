/** The value of `q` (RFC 9110, section 12.4.2). */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether a response may be compressed with gzip, and the client does not prefer the plain one (RFC 9110, section
 * 12.5.3). If the client accepts neither, it gets the plain response, as that section recommends.
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = weightsOf(header ?? '');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** The weight of each listed coding. A malformed weight counts as 0, because every client can read a plain response. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (coding !== '') weights.set(coding, WEIGHT.test(weight) ? Number(weight) : 0);
  }
  return weights;
}
