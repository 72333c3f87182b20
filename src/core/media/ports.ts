import type { AttachmentRecord, FileAttachmentType } from './attachment.js';

/** A file on disk that belongs to no record yet. */
export interface StagedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

/** A source returned more bytes than allowed. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  constructor(readonly maxBytes: number) {
    super(`The file has more than ${maxBytes} bytes.`);
  }
}

/** Facts about a file, detected from its content. */
export interface FileFacts {
  /** Null if the content has no known signature. Text has none. */
  readonly mimeType: string | null;
  /** Whether the content can be text. */
  readonly isText: boolean;
  /** In pixels. Only images have a size. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The files of stored copies, by the id of their row. No file is in memory as a whole. */
export interface MediaFiles {
  /** Writes a stream to disk. Raises FileTooLarge and the errors of the source. After an error no file is left. */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>;
  inspect(file: StagedFile): Promise<FileFacts>;
  /** The content of a staged file. Each call reads from the beginning. */
  read(file: StagedFile): AsyncIterable<Uint8Array>;
  /** Makes a staged file the file of `id`. When this resolves, the file survives a power loss. */
  keep(file: StagedFile, id: string): Promise<void>;
  /** Removes a staged file unless it was kept. */
  discard(file: StagedFile): Promise<void>;
  /** The file of `id`. Undefined if there is none. */
  find(id: string): Promise<{ readonly path: string } | undefined>;
  remove(id: string): Promise<void>;
  /** Ids of files older than a day in the next part of the store. Repeated calls cycle through all parts. */
  nextOld(): Promise<readonly string[]>;
}

/** The data of a stored copy for its readers. */
export interface StoredMedia {
  readonly id: string;
  readonly name: string | null;
  readonly mimeType: string | null;
  readonly sizeBytes: number;
}

/** An upload to store, with the field names of the database. */
export interface NewUpload {
  readonly id: string;
  readonly workspace_id: string;
  readonly uploaded_by: string;
  readonly type: FileAttachmentType;
  readonly name: string | null;
  readonly mime_type: string;
  readonly alt_text: string | null;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly sha256: string;
}

/** A file to fetch, claimed under a lease. */
export interface MediaTask {
  readonly id: string;
  readonly source: 'url' | 'remote';
  readonly source_url: string | null;
  readonly connection_id: string | null;
  readonly remote_ref: string | null;
  readonly name: string | null;
  readonly mime_type: string | null;
  /** Number of attempts, including this one. */
  readonly tries: number;
  readonly created_at: string;
}

/** The final result of a fetch. */
export type MediaOutcome =
  | {
      readonly state: 'ready';
      readonly name: string | null;
      readonly mime_type: string;
      readonly size: number;
      readonly width: number | null;
      readonly height: number | null;
      readonly sha256: string;
    }
  | { readonly state: 'failed'; readonly error: string };

export interface MediaStore {
  /** Stores an upload whose file is kept. A repeated id returns the same record. */
  storeUpload(upload: NewUpload): Promise<AttachmentRecord>;
  /** The ids among these of uploads of the workspace that can be used now. */
  usableUploads(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** A copy that is available. */
  find(id: string): Promise<StoredMedia | undefined>;
  /** Same, if the copy belongs to the workspace of the connection. */
  findForConnection(connectionId: string, id: string): Promise<StoredMedia | undefined>;
  /** Claims a file that is due. Undefined if it is not due. */
  claim(id: string, leaseSeconds: number): Promise<MediaTask | undefined>;
  /** Records the final result of a fetch. False if this attempt no longer holds the lease. Then its file belongs to no record. */
  finish(task: MediaTask, outcome: MediaOutcome): Promise<boolean>;
  postpone(task: MediaTask, waitSeconds: number, counted: boolean): Promise<void>;
  /** Wakes files whose job was lost. */
  wakeStalled(): Promise<void>;
  /** Marks up to `batchSize` unused copies as expired. They are returned again until `forget` is called for them. */
  expire(batchSize: number): Promise<readonly string[]>;
  forget(ids: readonly string[]): Promise<void>;
  /** The ids among these that have a row. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A file on another server, as a stream. */
export interface RemoteFile {
  readonly body: AsyncIterable<Uint8Array>;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Downloads files from URLs of clients, with the checks of the outgoing guard. */
export interface MediaDownloads {
  /** Makes one attempt, without redirects. Raises OutgoingError, and FetchRefused for any status but 200. */
  open(url: string, signal: AbortSignal): Promise<RemoteFile>;
}

/** The server did not return the file. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  constructor(readonly status: number) {
    super(`The server answered ${status}.`);
  }
}

/** Fetches files of received messages with the platform's authorization. */
export interface PlatformMedia {
  /** Undefined while the connection is not live in this process. Raises PlatformError. */
  open(connectionId: string, ref: string, signal: AbortSignal): Promise<RemoteFile> | undefined;
}
