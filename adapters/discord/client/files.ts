import { z } from 'zod';
import {
  type AdapterHost,
  type JsonObject,
  PlatformError,
  type RemoteMedia,
} from '../../../src/contract/index.js';
import { embeddedFiles } from '../inbound/embedded-files.js';
import { copiesIn, fileName } from '../inbound/message-content.js';
import { messageSchema } from '../inbound/payloads.js';
import type { DiscordRest } from './transport.js';

/** Address of sticker files. The host depends on the format, because animated GIF stickers are served elsewhere. */
const STICKERS = 'https://cdn.discordapp.com/stickers';
const GIF_STICKERS = 'https://media.discordapp.net/stickers';

const filesIn = z
  .array(z.object({ ref: z.string(), name: z.string().optional(), altText: z.string().optional() }))
  .catch([]);

/**
 * The body of a create: JSON, or a form if it has files
 * (https://docs.discord.com/developers/reference#uploading-files).
 */
export async function bodyOf({ files, ...payload }: JsonObject, host: AdapterHost): Promise<object> {
  const wanted = filesIn.parse(files);
  if (wanted.length === 0) return payload;
  const form = new FormData();
  const opened = await Promise.all(
    wanted.map(async ({ ref, name }) => ({ ...(await host.openMedia(ref)), ...(name && { name }) })),
  );
  const attachments = opened.map(({ name }, id) => {
    const description = wanted[id]?.altText;
    return { id, filename: name, ...(description === undefined ? {} : { description }) };
  });
  form.append('payload_json', JSON.stringify({ ...payload, attachments }));
  opened.forEach(({ blob, name }, id) => {
    form.append(`files[${id}]`, blob, name);
  });
  return form;
}

/** Opens a file of a received message. Links expire, so the message is requested for a fresh one. */
export async function openFile(
  rest: DiscordRest,
  host: AdapterHost,
  ref: string,
  signal: AbortSignal,
): Promise<RemoteMedia> {
  const [channel = '', message = '', file = ''] = ref.split('/');
  if (channel === 'sticker') {
    const base = message.endsWith('.gif') ? GIF_STICKERS : STICKERS;
    return download(host, `${base}/${message}`, signal);
  }
  const route = `/channels/${channel}/messages/${message}` as const;
  const source = await rest.call<unknown>({ method: 'GET', route, signal, write: false });
  const found = fileIn(source, file);
  if (found === undefined) throw unavailable('The file is no longer part of its message.');
  const opened = await download(host, found.url, signal);
  const { name, contentType } = found;
  return { ...opened, ...(name && { name }), ...(contentType && { mimeType: contentType }) };
}

interface FoundFile {
  readonly url: string;
  readonly name?: string | undefined;
  readonly contentType?: string | null | undefined;
}

/** Finds an attachment by its id, or a file of a component or embed by its key. */
function fileIn(source: unknown, key: string): FoundFile | undefined {
  const { data: message } = messageSchema.safeParse(source);
  if (message === undefined) return undefined;
  const all = [message, ...copiesIn(message)];
  const attached = all.flatMap(({ attachments }) => attachments ?? []).find(({ id }) => id === key);
  if (attached?.url)
    return { url: attached.url, name: fileName(attached), contentType: attached.content_type };
  return all.flatMap((content, place) => embeddedFiles(content, place)).find((file) => file.key === key);
}

/** The link contains its own signature. The bot's token is not sent. */
async function download(host: AdapterHost, url: string, signal: AbortSignal): Promise<RemoteMedia> {
  const response = await host.fetch(url, { signal });
  if (response.status === 200 && response.body !== null) return { body: response.body };
  await response.body?.cancel();
  if (response.status < 500 && response.status !== 429) throw unavailable('Discord no longer has the file.');
  throw new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      dispatched: 'no',
      message: 'The file could not be downloaded from Discord.',
      code: String(response.status),
    },
  );
}

const unavailable = (message: string) =>
  new PlatformError({ kind: 'rejected', reason: 'media_unavailable' }, { dispatched: 'no', message });
