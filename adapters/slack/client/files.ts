import { z } from 'zod';
import {
  type AdapterHost,
  type JsonObject,
  type MediaFile,
  PlatformError,
  type RemoteMedia,
} from '../../../src/contract/index.js';
import { isPage } from '../inbound/from-files.js';
import type { SlackClient } from './transport.js';

const filesIn = z
  .array(z.object({ ref: z.string(), name: z.string().optional(), altText: z.string().optional() }))
  .catch([]);

/** An uploaded file that is not shared yet. */
export interface UploadedFile {
  readonly id: string;
  readonly title: string;
}

/**
 * Uploads the files of a step (docs.slack.dev/messaging/working-with-files#upload). They are invisible until they are
 * shared, so a failure leaves nothing visible.
 */
export async function uploadFiles(
  client: SlackClient,
  host: AdapterHost,
  payload: JsonObject,
  signal: AbortSignal,
): Promise<UploadedFile[]> {
  const uploaded: UploadedFile[] = [];
  for (const { ref, name, altText } of filesIn.parse(payload.files)) {
    const file = { ...(await host.openMedia(ref)), ...(name && { name }) };
    const about = { filename: file.name, length: file.sizeBytes, ...(altText && { alt_txt: altText }) };
    const { upload_url: url, file_id: id } = await client.read(
      (web) => web.files.getUploadURLExternal(about),
      signal,
      'chat',
    );
    if (!url || !id) throw notTaken('an answer without address');
    await sendBytes(host, url, file, signal);
    uploaded.push({ id, title: file.name });
  }
  return uploaded;
}

async function sendBytes(
  host: AdapterHost,
  url: string,
  { blob }: MediaFile,
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await host
    .fetch(url, { method: 'POST', headers, body: blob, signal })
    .catch((error: unknown) => {
      throw notTaken(error instanceof PlatformError ? error.code : undefined);
    });
  await response.body?.cancel();
  if (response.status !== 200) throw notTaken(String(response.status));
}

function notTaken(code: string | undefined): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'Slack did not take the file.', ...(code === undefined ? {} : { code }) },
  );
}

export interface SlackAccess {
  readonly token: string;
  readonly apiBaseUrl: string;
}

/** Whether the address belongs to Slack. The token is sent nowhere else. */
function isOfSlack(url: string, apiBaseUrl: string): boolean {
  const { hostname, protocol } = new URL(url);
  const api = new URL(apiBaseUrl);
  if (hostname === api.hostname) return true;
  return protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(hostname);
}

/**
 * Opens a received file. Its private address requires the bot's token (docs.slack.dev/reference/objects/file-object).
 */
export async function openFile(
  client: SlackClient,
  host: AdapterHost,
  { token, apiBaseUrl }: SlackAccess,
  id: string,
  signal: AbortSignal,
): Promise<RemoteMedia> {
  const { file } = await client.read((web) => web.files.info({ file: id }), signal);
  // The message contains only the id of a file from another workspace.
  if (file !== undefined && isPage(file)) throw onlyAPage();
  const url = file?.url_private_download ?? file?.url_private;
  if (file === undefined || url === undefined || !URL.canParse(url)) throw unavailable();
  const headers: Record<string, string> = isOfSlack(url, apiBaseUrl)
    ? { authorization: `Bearer ${token}` }
    : {};
  const response = await host.fetch(url, { headers, signal });
  const type = response.headers.get('content-type') ?? '';
  // Without the scope to read files Slack responds with its login page.
  const isHtml = type.startsWith('text/html') && file.mimetype !== 'text/html';
  if (response.status === 200 && response.body !== null && !isHtml) {
    const { name, mimetype } = file;
    return { body: response.body, ...(name ? { name } : {}), ...(mimetype ? { mimeType: mimetype } : {}) };
  }
  await response.body?.cancel();
  if (isHtml || (response.status < 500 && response.status !== 429)) throw unavailable();
  throw new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'Slack did not hand the file out.', code: String(response.status) },
  );
}

function unavailable(): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason: 'media_unavailable' },
    {
      dispatched: 'no',
      message: 'Slack does not hand the file out.',
      fix: 'Give the app the scope files:read and install it again.',
    },
  );
}

function onlyAPage(): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason: 'media_unavailable' },
    { dispatched: 'no', message: 'The file is a page in Slack, which has no download.' },
  );
}
