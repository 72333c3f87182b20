import { type Api, InputFile } from 'grammy';
import {
  type AdapterHost,
  type AttachmentType,
  type Receipt,
  type RemoteMessageId,
  remoteMessageId,
} from '../../../src/contract/index.js';
import { isMediaRefused, UnexpectedResponse } from '../client/errors.js';
import { clientSignal } from '../client/transport.js';
import { type OutgoingText, withFormatting } from './formatting-fallback.js';
import type { FileMethod } from './media-layout.js';
import type { AlbumPayload, FilePayload } from './step-payloads.js';

/** The destination of a message, as parameters that all send methods share. */
export interface SendTarget {
  readonly chat_id: string;
  readonly message_thread_id?: number;
  readonly direct_messages_topic_id?: number;
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: boolean };
}

/** The id of a created message. A response without one is not from the Bot API, and the message may exist. */
function sentId({ message_id: id }: SentMessage): RemoteMessageId {
  if (!Number.isSafeInteger(id)) throw new UnexpectedResponse(200, null);
  return remoteMessageId(id);
}

/** The fields of a created message that the adapter reads. */
interface SentMessage {
  readonly message_id: number;
  readonly reply_to_message?: unknown;
}

/** The receipt of a created message. If the message that it answers was deleted, Telegram leaves the reply out. */
export function receiptOf(sent: SentMessage, { reply_parameters }: SendTarget): Receipt {
  const isLost = reply_parameters !== undefined && sent.reply_to_message === undefined;
  return { remoteId: sentId(sent), ...(isLost ? { degradations: ['reply'] } : {}) };
}

/** Uploads one file. If Telegram cannot show it as its type, it wrote nothing, and the file is sent as a document. */
export async function sendFile(
  api: Api,
  host: AdapterHost,
  payload: FilePayload,
  place: SendTarget,
  signal: AbortSignal,
): Promise<Receipt> {
  const input = await inputOf(host, payload.file);
  const send = (method: FileMethod) =>
    withFormatting(payload, (text) => upload(api, method, input(), { ...place, ...captionOf(text) }, signal));
  try {
    return await send(payload.method);
  } catch (error) {
    if (payload.method === 'sendDocument' || !isMediaRefused(error)) throw error;
    return degraded(await send('sendDocument'), [payload.method]);
  }
}

/**
 * Uploads several files as one album. If Telegram refuses one of them, it wrote none, and all are sent as documents.
 */
export async function sendAlbum(
  api: Api,
  host: AdapterHost,
  payload: AlbumPayload,
  place: SendTarget,
  signal: AbortSignal,
): Promise<Receipt> {
  const files = await Promise.all(
    payload.album.map(async ({ file, method }) => ({ input: await inputOf(host, file), method })),
  );
  const send = (plain: boolean) =>
    withFormatting(payload, async (text) => {
      const media = files.map(({ input, method }, index) => ({
        type: plain ? 'document' : (albumTypes[method] ?? 'document'),
        media: input(),
        ...(index === 0 ? captionOf(text) : {}),
      }));
      const sent = await api.raw.sendMediaGroup({ ...place, media: media as Album }, clientSignal(signal));
      const [first, ...others] = sent;
      if (first === undefined) throw new UnexpectedResponse(200, null);
      return { ...receiptOf(first, place), otherIds: others.map(sentId) };
    });
  try {
    return await send(false);
  } catch (error) {
    const methods = payload.album.map(({ method }) => method);
    if (methods[0] === 'sendDocument' || !isMediaRefused(error)) throw error;
    return degraded(await send(true), methods);
  }
}

type Album = Parameters<Api['raw']['sendMediaGroup']>[0]['media'];

const albumTypes: Partial<Record<FileMethod, string>> = {
  sendPhoto: 'photo',
  sendVideo: 'video',
  sendAudio: 'audio',
};

const names: Record<FileMethod, AttachmentType> = {
  sendPhoto: 'image',
  sendAnimation: 'image',
  sendVideo: 'video',
  sendAudio: 'audio',
  sendVoice: 'audio',
  sendSticker: 'sticker',
  sendDocument: 'file',
};

const degraded = (receipt: Receipt, methods: readonly FileMethod[]): Receipt => ({
  ...receipt,
  degradations: [
    ...new Set([
      ...(receipt.degradations ?? []),
      ...methods.map((method) => `media.${names[method]}` as const),
    ]),
  ],
});

const captionOf = ({ text, entities }: OutgoingText) =>
  text.trim() === '' ? {} : { caption: text, caption_entities: entities };

/**
 * Sanitizes a file name. The client writes it unescaped into the header of its part. Telegram ends it at the first
 * semicolon and would read the rest as another parameter. Telegram also strips quotation marks and surrounding blanks.
 */
const nameIn = (name: string): string =>
  name
    .replaceAll(';', ',')
    .replaceAll('"', "'")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();

/** Reads the stored copy again for each upload. */
async function inputOf(
  host: AdapterHost,
  { ref, name: wanted }: FilePayload['file'],
): Promise<() => InputFile> {
  const { blob, name } = await host.openMedia(ref);
  return () =>
    new InputFile(() => blob.stream() as unknown as AsyncIterable<Uint8Array>, nameIn(wanted || name));
}

async function upload(
  api: Api,
  method: FileMethod,
  input: InputFile,
  common: SendTarget,
  signal: AbortSignal,
): Promise<Receipt> {
  const until = clientSignal(signal);
  const sent = await {
    sendPhoto: () => api.raw.sendPhoto({ ...common, photo: input }, until),
    sendAnimation: () => api.raw.sendAnimation({ ...common, animation: input }, until),
    sendVideo: () => api.raw.sendVideo({ ...common, video: input, supports_streaming: true }, until),
    sendAudio: () => api.raw.sendAudio({ ...common, audio: input }, until),
    sendVoice: () => api.raw.sendVoice({ ...common, voice: input }, until),
    sendSticker: () => api.raw.sendSticker({ ...common, sticker: input }, until),
    sendDocument: () => api.raw.sendDocument({ ...common, document: input }, until),
  }[method]();
  return receiptOf(sent, common);
}
