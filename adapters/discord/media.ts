import type { APIMessage } from 'discord-api-types/v10';
import { z } from 'zod';
import {
  type AdapterHost,
  type JsonObject,
  PlatformError,
  type RemoteMedia,
} from '../../src/contract/index.js';
import type { DiscordRest } from './rest.js';

/** Discord's files for stickers, whose ids say nothing about the server; moving pictures stand elsewhere. */
const STICKERS = 'https://cdn.discordapp.com/stickers';
const MOVING_STICKERS = 'https://media.discordapp.net/stickers';

const filesIn = z
  .array(z.object({ ref: z.string(), name: z.string().optional(), altText: z.string().optional() }))
  .catch([]);

/** The body of a create: JSON, or a form when files go with it (https://docs.discord.com/developers/reference#uploading-files). */
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

/** A file of a received message. Its link has an end, so the message is asked for a fresh one. */
export async function openFile(
  rest: DiscordRest,
  host: AdapterHost,
  ref: string,
  signal: AbortSignal,
): Promise<RemoteMedia> {
  const [channel = '', message = '', file = ''] = ref.split('/');
  if (channel === 'sticker') {
    const base = message.endsWith('.gif') ? MOVING_STICKERS : STICKERS;
    return download(host, `${base}/${message}`, signal);
  }
  const route = `/channels/${channel}/messages/${message}` as const;
  const source = await rest.call<APIMessage>({ method: 'GET', route, signal, write: false });
  const copies = (source.message_snapshots ?? []).flatMap((snapshot) => snapshot.message.attachments);
  const found = [...source.attachments, ...copies].find(({ id }) => id === file);
  if (found === undefined) throw unavailable('The file is no longer part of its message.');
  const opened = await download(host, found.url, signal);
  return { ...opened, name: found.filename, ...(found.content_type ? { mimeType: found.content_type } : {}) };
}

/** The link carries its own signature; the bot's token is not sent along. */
async function download(host: AdapterHost, url: string, signal: AbortSignal): Promise<RemoteMedia> {
  const response = await host.fetch(url, { signal });
  if (response.status === 200 && response.body !== null) return { body: response.body };
  await response.body?.cancel();
  if (response.status < 500 && response.status !== 429) throw unavailable('Discord no longer has the file.');
  throw new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'Discord did not hand the file out.', code: String(response.status) },
  );
}

const unavailable = (message: string) =>
  new PlatformError({ kind: 'rejected', reason: 'media_unavailable' }, { dispatched: 'no', message });
