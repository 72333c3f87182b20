import { type AdapterHost, PlatformError, type RemoteMedia } from '../../../src/contract/index.js';
import type { SmsConfig } from '../config.js';

/** Maximum number of redirects. Twilio redirects to a signed address that expires soon. */
const MAX_REDIRECTS = 3;

/**
 * Opens a received file by its path at Twilio. The account's credentials are sent to `api_base_url` only. From there
 * one or more redirects lead to the file, and each passes the address guard.
 */
export async function openFile(
  { credentials, settings }: SmsConfig,
  host: AdapterHost,
  path: string,
  signal: AbortSignal,
): Promise<RemoteMedia> {
  if (!path.startsWith('/') || path.startsWith('//')) throw unavailable();
  const basic = Buffer.from(`${credentials.account_sid}:${credentials.auth_token}`).toString('base64');
  let url = new URL(settings.api_base_url.replace(/(?<!\/)\/+$/, '') + path);
  let headers: Record<string, string> = { authorization: `Basic ${basic}` };
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const response = await host.fetch(url, { headers, signal, redirect: 'manual' });
    if (response.status === 200 && response.body !== null) return opened(response, response.body);
    await response.body?.cancel();
    const next = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || next === null || !URL.canParse(next, url.href))
      throw refused(response.status);
    url = new URL(next, url);
    headers = {};
  }
  throw unavailable();
}

function opened(response: Response, body: AsyncIterable<Uint8Array>): RemoteMedia {
  const mimeType = response.headers.get('content-type');
  return { body, ...(mimeType === null ? {} : { mimeType }) };
}

function refused(status: number): PlatformError {
  if (status < 500 && status !== 429) return unavailable();
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'The file could not be downloaded from Twilio.', code: String(status) },
  );
}

const unavailable = () =>
  new PlatformError(
    { kind: 'rejected', reason: 'media_unavailable' },
    { dispatched: 'no', message: 'Twilio has no file under this address any more.' },
  );
