import type {
  FilesCompleteUploadExternalResponse,
  FilesGetUploadURLExternalResponse,
  FilesInfoResponse,
} from '@slack/web-api';
import type { SimulatedAnswer, SimulatedFile } from '../../../src/contract/simulation/index.js';
import type { StoredMessage } from './workspace.js';

interface Known {
  readonly name: string;
  readonly length: number;
  file?: SimulatedFile;
  message?: StoredMessage;
  readonly altText?: string;
}

/** Files of the simulated workspace, with their addresses (docs.slack.dev/messaging/working-with-files). */
export class Files {
  readonly #known = new Map<string, Known>();
  #count = 0;

  constructor(private readonly baseUrl: () => string) {}

  /** Adds a file that a person sends. It is complete immediately. */
  add(file: SimulatedFile): string {
    const id = this.#newId();
    this.#known.set(id, { name: file.name, length: file.bytes.length, file });
    return id;
  }

  get(id: string): SimulatedFile | undefined {
    return this.#known.get(id)?.file;
  }

  announce(name: string, length: number, altText?: string): FilesGetUploadURLExternalResponse & { ok: true } {
    const id = this.#newId();
    this.#known.set(id, { name, length, ...(altText === undefined ? {} : { altText }) });
    return { ok: true, upload_url: `${this.baseUrl()}/upload/${id}`, file_id: id };
  }

  /** Receives the bytes of an announced file. */
  receive(id: string, bytes: Buffer, mimeType = 'application/octet-stream'): SimulatedAnswer {
    const known = this.#known.get(id);
    if (known === undefined || known.file !== undefined || known.length !== bytes.length)
      return { status: 400, body: 'bad upload' };
    known.file = { name: known.name, mimeType, bytes };
    return { status: 200, body: `OK - ${bytes.length}` };
  }

  share(ids: readonly string[], message: StoredMessage): FilesCompleteUploadExternalResponse & { ok: true } {
    for (const id of ids) Object.assign(this.#known.get(id) ?? {}, { message });
    return { ok: true, files: ids.map((id) => ({ id, title: this.#known.get(id)?.name ?? '' })) };
  }

  info(id: string): (FilesInfoResponse & { ok: true }) | undefined {
    const file = this.get(id);
    return file && { ok: true, file: this.describe(id, file) };
  }

  describe(id: string, { name, mimeType, bytes }: SimulatedFile) {
    const url = `${this.baseUrl()}/files-pri/${id}`;
    const { message, altText } = this.#known.get(id) ?? {};
    const shares = message && { public: { [message.channel]: [{ ts: message.ts }] } };
    return {
      id,
      name,
      title: name,
      mimetype: mimeType,
      size: bytes.length,
      url_private: url,
      url_private_download: url,
      ...(altText === undefined ? {} : { alt_txt: altText }),
      ...(shares === undefined ? {} : { shares }),
    };
  }

  /** Deletes the file and removes it from its message. Returns that message. */
  remove(id: string): StoredMessage | undefined {
    const known = this.#known.get(id);
    this.#known.delete(id);
    known?.message?.files?.delete(id);
    return known?.message;
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  #newId(): string {
    this.#count += 1;
    return `F0SIM${String(this.#count).padStart(6, '0')}`;
  }
}
