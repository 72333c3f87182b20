import type { z } from 'zod';
import type { SimulatedAnswer, SimulatedFile } from '../../../src/contract/simulation/index.js';
import { badRequest, failure, success } from './answers.js';
import type { albumParameters, fileParameters } from './parameters.js';
import type { RequestValidator } from './request-validator.js';
import { type FileKind, messageObject, type StoredChat, type TelegramState } from './state.js';

/** https://core.telegram.org/bots/api#sending-files */
const MAX_PHOTO = 10 * 1024 * 1024;
const MAX_FILE = 50 * 1024 * 1024;

type Files = ReadonlyMap<string, SimulatedFile>;
/** `id` is present if the server already has the file. */
type Found = SimulatedFile & { readonly id?: string };

/** Recognises images by signature only, so an image without pixels passes. */
const isPicture = (bytes: Buffer) => /^(?:\x89PNG|\xff\xd8\xff|RIFF)/.test(bytes.toString('latin1', 0, 4));

/** Kinds that may share an album (https://core.telegram.org/bots/api#sendmediagroup). */
const mixes: Partial<Record<FileKind, string>> = {
  photo: 'seen',
  video: 'seen',
  audio: 'heard',
  document: 'kept',
};

/** The methods that send files. */
export class MediaMethods {
  constructor(
    private readonly state: TelegramState,
    private readonly validator: RequestValidator,
  ) {}

  /** The field names the form part, or refers to an attached one. */
  sendFile(kind: FileKind, parameters: z.infer<typeof fileParameters>, files: Files): SimulatedAnswer {
    return this.validator.writable(parameters, (stored, place) => {
      const found = this.#fileOf(kind, String(parameters[kind] ?? kind), files);
      if ('status' in found) return found;
      if (kind === 'sticker' && parameters.caption !== undefined)
        return badRequest('stickers have no caption');
      return this.validator.captioned(
        parameters.caption,
        parameters.caption_entities,
        parameters.parse_mode,
        (caption) => {
          const waitMs = this.validator.strike(stored);
          if (waitMs !== undefined) return waitMs;
          const file = { ...this.#kept(found, kind), kind };
          const message = this.state.write(stored, { from: this.state.bot, ...place, ...caption, file });
          return success(messageObject(stored, message), true);
        },
      );
    });
  }

  /** An album is written completely or not at all. */
  sendAlbum(parameters: z.infer<typeof albumParameters>, files: Files): SimulatedAnswer {
    const { media } = parameters;
    return this.validator.writable(parameters, (stored, place) => {
      if (media.length < 2 || media.length > 10)
        return badRequest('wrong number of messages: there must be from 2 to 10 messages');
      if (new Set(media.map(({ type }) => mixes[type as FileKind] ?? type)).size > 1)
        return badRequest("can't mix these types of media in an album");
      const messages: Parameters<TelegramState['write']>[1][] = [];
      for (const [index, item] of media.entries()) {
        const message = this.#albumItem(item, files);
        if ('status' in message) return inAlbum(message, index);
        messages.push({ ...message, ...place });
      }
      const waitMs = this.validator.strike(stored, media.length);
      if (waitMs !== undefined) return waitMs;
      return success(this.#writeAlbum(stored, messages), true);
    });
  }

  #albumItem(
    { type, media, caption, caption_entities, parse_mode }: z.infer<typeof albumParameters>['media'][number],
    files: Files,
  ): SimulatedAnswer | Parameters<TelegramState['write']>[1] {
    if (mixes[type as FileKind] === undefined) return badRequest(`type "${type}" can't be in an album`);
    const kind = type as FileKind;
    const found = this.#fileOf(kind, media, files);
    if ('status' in found) return found;
    let text: Parameters<TelegramState['write']>[1] = { from: this.state.bot, text: '' };
    const refused = this.validator.captioned(caption, caption_entities, parse_mode, (written) => {
      text = { ...text, ...written };
      return success(true);
    });
    if (refused.status !== 200) return refused;
    return { ...text, file: { ...this.#kept(found, kind), kind } };
  }

  /** A file of this request, or one that the server already has. */
  #fileOf(kind: FileKind, field: string, files: Files): Found | SimulatedAnswer {
    const file = this.state.file(field);
    if (file !== undefined && !files.has(field)) return { ...file, id: field };
    return fileOf(kind, field, files);
  }

  #kept({ id, ...file }: Found, kind: FileKind) {
    return id === undefined ? this.state.keep(file, kind) : { ...file, id };
  }

  #writeAlbum(stored: StoredChat, messages: readonly Parameters<TelegramState['write']>[1][]) {
    const albumId = this.state.newAlbum();
    return messages.map((message) =>
      messageObject(stored, this.state.write(stored, { ...message, albumId })),
    );
  }
}

function fileOf(kind: FileKind, field: string, files: Files): SimulatedFile | SimulatedAnswer {
  const file = files.get(field.replace(/^attach:\/\//, ''));
  if (file === undefined) return badRequest(`there is no ${kind} in the request`);
  if (file.bytes.length === 0) return badRequest('file must be non-empty');
  if (file.bytes.length > (kind === 'photo' ? MAX_PHOTO : MAX_FILE))
    return failure(413, 'Request Entity Too Large');
  if (kind === 'photo' && !isPicture(file.bytes)) return badRequest('IMAGE_PROCESS_FAILED');
  return file;
}

/** The server names the message of an album that failed. */
function inAlbum(answer: SimulatedAnswer, index: number): SimulatedAnswer {
  const { description } = answer.body as { description: string };
  if (answer.status !== 400) return answer;
  const why = description.replace(/^Bad Request: /, '');
  return badRequest(`failed to send message #${index + 1} with the error message "${why}"`);
}
