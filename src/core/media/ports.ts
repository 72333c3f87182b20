import type { AttachmentRecord, FileAttachmentType } from './attachment.js';

/** A file that was written to disk and belongs to nothing yet. */
export interface StagedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** A source gave more bytes than were asked for. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  constructor(readonly maxBytes: number) {
    super(`The file has more than ${maxBytes} bytes.`);
  }
}

/** What a file is, judged by its content. */
export interface FileFacts {
  /** Null: the content has no signature that is known, as text has none. */
  readonly mimeType: string | null;
  /** Whether the content can be text. */
  readonly isText: boolean;
  /** Pixels, of images. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The files of stored copies, by the id of their row. Nothing is held in memory as a whole. */
export interface MediaFiles {
  /** Writes a stream to disk. Raises FileTooLarge, and what the source raises; then nothing is left. */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>;
  inspect(file: StagedFile): Promise<FileFacts>;
  /** The content of a staged file, from its beginning each time. */
  read(file: StagedFile): AsyncIterable<Uint8Array>;
  /** Makes a staged file the one of `id`: when this resolves, it survives a loss of power. */
  keep(file: StagedFile, id: string): Promise<void>;
  /** Removes a staged file, if it was not kept. */
  discard(file: StagedFile): Promise<void>;
  /** Where the file of `id` is; undefined when there is none. */
  find(id: string): Promise<{ readonly path: string } | undefined>;
  remove(id: string): Promise<void>;
  /** Ids of files in the next part of the store that are older than a day; each part comes round again. */
  nextOld(): Promise<readonly string[]>;
}

/** A stored copy as it is handed out. */
export interface StoredMedia {
  readonly id: string;
  readonly name: string | null;
  readonly mimeType: string | null;
  readonly sizeBytes: number;
}

/** An upload to be stored, in the names of the database. */
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

/** A file that is to be fetched, claimed under a lease. */
export interface MediaTask {
  readonly id: string;
  readonly source: 'url' | 'remote';
  readonly source_url: string | null;
  readonly connection_id: string | null;
  readonly remote_ref: string | null;
  readonly name: string | null;
  readonly mime_type: string | null;
  /** Fetches begun, this one included. */
  readonly tries: number;
  readonly created_at: string;
}

/** How a fetch ended. */
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
  /** An upload whose file is kept. The same id again answers the record that it made. */
  storeUpload(upload: NewUpload): Promise<AttachmentRecord>;
  /** Which of these are uploads of the workspace that can be used now. */
  usableUploads(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** A copy that is there. */
  find(id: string): Promise<StoredMedia | undefined>;
  /** The same, if it belongs to the workspace of a connection. */
  findForConnection(connectionId: string, id: string): Promise<StoredMedia | undefined>;
  /** Takes a file that is due, for a while; undefined when there is nothing to do. */
  claim(id: string, leaseSeconds: number): Promise<MediaTask | undefined>;
  /** Ends a fetch. False: it was not this try's any more, and its file belongs to nothing. */
  finish(task: MediaTask, outcome: MediaOutcome): Promise<boolean>;
  postpone(task: MediaTask, waitSeconds: number, counted: boolean): Promise<void>;
  /** Reminds of files whose reminder was lost. */
  wakeStalled(): Promise<void>;
  /** Gives up to `most` copies up that nothing uses. They are answered again until they are forgotten. */
  expire(most: number): Promise<readonly string[]>;
  forget(ids: readonly string[]): Promise<void>;
  /** Which of these have a row. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A file on another server, as a stream. */
export interface RemoteFile {
  readonly body: AsyncIterable<Uint8Array>;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Fetches files from addresses that clients gave, through the guard. */
export interface MediaDownloads {
  /** One try, without redirects. Raises OutgoingError, and FetchRefused for an answer other than 200. */
  open(url: string, signal: AbortSignal): Promise<RemoteFile>;
}

/** The server answered something else than the file. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  constructor(readonly status: number) {
    super(`The server answered ${status}.`);
  }
}

/** Fetches files of received messages with the platform's authorisation. */
export interface PlatformMedia {
  /** Undefined while the connection is not at work here. Raises PlatformError. */
  open(connectionId: string, ref: string, signal: AbortSignal): Promise<RemoteFile> | undefined;
}
