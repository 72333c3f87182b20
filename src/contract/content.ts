/** Neutral content: what a message says, independent of any platform's markup. */

export const contentMarks = [
  'bold',
  'italic',
  'underline',
  'strike',
  'code',
  'code_block',
  'quote',
  'link',
  'list',
  'heading',
  'mention',
  'spoiler',
] as const;
/** Styles a span of text can carry. Names equal the marks of the capability table. */
export type Mark = (typeof contentMarks)[number];

/**
 * A styled stretch of `Content.text`. Offsets are UTF-16 code units, `end` is exclusive.
 * Spans may nest but never cross; a span is never empty.
 */
export interface Span {
  readonly mark: Mark;
  readonly start: number;
  readonly end: number;
  /** `link`: target URL. `mention`: remote user id. `code_block`: language. `heading`: level 1–6. */
  readonly value?: string;
}

export const attachmentTypes = ['image', 'video', 'audio', 'file', 'location', 'contact', 'sticker'] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

/** A file, place or contact card that goes with a message. */
export interface ContentAttachment {
  readonly type: AttachmentType;
  /**
   * Outbound: signed link to the stored copy, or the address of a file that could not be stored; absent for places and
   * contact cards. Inbound: the file's address, if it is public.
   */
  readonly url?: string;
  /** Inbound only: by this `Adapter.openMedia` finds the file. At most 2,048 characters, and never a secret. */
  readonly remoteRef?: string;
  /** Outbound only: by this `AdapterHost.openMedia` opens the stored copy. Absent when there is none. */
  readonly mediaRef?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
  /** Inbound only, of sound and moving pictures. */
  readonly durationMs?: number;
  readonly altText?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Content {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly attachments: readonly ContentAttachment[];
}

/** Content that is nothing but text. */
export const plainContent = (text: string): Content => ({ text, spans: [], attachments: [] });

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where an attachment is; undefined when it is no place. */
export function placeOf({ latitude, longitude }: ContentAttachment): Place | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

export interface ContactCard {
  readonly name: string;
  readonly phone?: string;
}

/** Who a contact card is about; undefined when the attachment is none, or says nothing. */
export function cardOf({ type, name, metadata }: ContentAttachment): ContactCard | undefined {
  if (type !== 'contact') return undefined;
  const phone = written(metadata?.phone);
  const known = written(metadata?.name) ?? written(name) ?? phone;
  if (known === undefined) return undefined;
  return phone === undefined ? { name: known } : { name: known, phone };
}

function written(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
