import { AppError } from '../../../core/common/errors.js';
import { newId } from '../../../core/common/new-id.js';
import { OutgoingError } from '../../../core/common/outgoing.js';
import type { StoredAttachment } from '../../../core/media/attachment.js';
import { FileTooLarge } from '../../../core/media/ports.js';
import { ATTACHMENT_BYTES } from '../../../core/media/upload-file.js';
import { ImportError } from '../problem.js';
import type { AttachmentAnswer, MessageAnswer } from './answers.js';
import type { ImportContext } from './context.js';
import { retryAfterMs, waitForRetry } from './retry-wait.js';
import { cut, storable } from './text.js';

const DOWNLOAD_MS = 300_000;
const MAX_REDIRECTS = 5;
const TRIES = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A file that can never be imported, and why. */
class NoFile extends Error {}

/** A response that asks for another try. */
class NotNow extends Error {
  constructor(
    status: number,
    readonly waitMs: number | undefined,
  ) {
    super(`it responds with status ${status}.`);
  }
}

/** Stores files of messages as uploads. An upload that no message uses is removed after a day. */
export class Files {
  constructor(private readonly context: ImportContext) {}

  /** Stores the attachments that are available and reports the others. Raises ImportError for transient failures. */
  async of({ id, attachments }: MessageAnswer): Promise<StoredAttachment[]> {
    const { report } = this.context;
    const stored: StoredAttachment[] = [];
    for (const each of attachments ?? []) {
      try {
        stored.push(await this.#one(each));
        report.count('attachments', 'created');
      } catch (error) {
        if (!(error instanceof NoFile)) throw error;
        report.skip('attachments', each.id ?? id, error.message);
      }
    }
    return stored;
  }

  async #one(answer: AttachmentAnswer): Promise<StoredAttachment> {
    if (answer.file_type === 'location') return locationOf(answer);
    const { data_url: url } = answer;
    if (url == null || !URL.canParse(url)) throw new NoFile('It has no file.');
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#download(url);
      } catch (error) {
        if (error instanceof OutgoingError && error.problem === 'forbidden_target')
          throw new NoFile('The service may not connect to its address.');
        if (!(error instanceof OutgoingError || error instanceof NotNow)) throw error;
        if (tries === TRIES) throw new ImportError(`A file of Chatwoot can't be read: ${error.message}`);
        await waitForRetry(tries, error instanceof NotNow ? error.waitMs : undefined);
      }
    }
  }

  async #download(address: string): Promise<StoredAttachment> {
    const { management, target } = this.context;
    const response = await this.#opened(address);
    const id = newId();
    const staged = await management.files
      .stage(bytesOf(response), ATTACHMENT_BYTES)
      .catch((error: unknown) => {
        if (error instanceof FileTooLarge) throw new NoFile('Its file has more than 25 MiB.');
        throw error;
      });
    try {
      const type = response.headers.get('content-type') ?? undefined;
      const file = { ...staged, name: nameIn(address), mimeType: type };
      const record = await management.uploads.execute(target.caller, file, {}, id);
      return {
        ...EMPTY,
        id,
        type: record.type,
        upload: true,
        name: record.name,
        mime_type: record.mime_type,
      };
    } catch (error) {
      await management.files.discard(staged);
      if (error instanceof AppError) throw new NoFile(`Its file is refused: ${error.message}`);
      throw error;
    }
  }

  /** Follows Chatwoot's redirects to its file storage. The token is not sent, because the URLs are signed. */
  async #opened(address: string): Promise<Response> {
    let url = address;
    const signal = AbortSignal.timeout(DOWNLOAD_MS);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await this.context.management.outgoing.fetch(url, {
        headers: { accept: '*/*', 'user-agent': 'Trunkline' },
        signal,
      });
      if (response.status === 200 && response.body !== null) return response;
      await response.body?.cancel();
      const next = response.headers.get('location');
      if (response.status === 429 || response.status >= 500)
        throw new NotNow(response.status, retryAfterMs(response));
      if (!REDIRECTS.has(response.status) || next === null || !URL.canParse(next, url))
        throw new NoFile(`Its file cannot be downloaded (status ${response.status}).`);
      url = new URL(next, url).href;
    }
    throw new NoFile('It redirects too often.');
  }
}

const EMPTY = { metadata: {}, alt_text: null, latitude: null, longitude: null } as const;

function locationOf({
  coordinates_lat: latitude,
  coordinates_long: longitude,
  fallback_title: title,
}: AttachmentAnswer) {
  if (latitude == null || longitude == null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    throw new NoFile('It has no valid coordinates.');
  const name = title == null || title === '' ? null : cut(storable(title), 255);
  return { ...EMPTY, id: newId(), type: 'location' as const, name, mime_type: null, latitude, longitude };
}

/** Reports a connection that breaks during a download as a connection failure, which is retried. */
async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw error instanceof TypeError ? new OutgoingError('connection', 'unknown') : error;
  }
}

function nameIn(address: string): string | undefined {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return cut(storable(decodeURIComponent(last)), 255) || undefined;
  } catch {
    return last.slice(0, 255) || undefined;
  }
}
