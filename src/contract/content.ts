/** Neutral content: the text and files of a message, independent of the markup of any platform. */

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
/** The formats of a span. The names are those of the capability table. */
export type Mark = (typeof contentMarks)[number];

/**
 * A formatted range of `Content.text`. Offsets are in UTF-16 code units, and `end` is exclusive. Spans may nest, but they
 * never overlap partially. A span is never empty.
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

/** A file, a location or a contact card of a message. */
export interface ContentAttachment {
  readonly type: AttachmentType;
  /**
   * Outbound: the signed link to the stored copy, or the URL of a file that could not be stored. Absent for locations and
   * contact cards. Inbound: the URL of the file, if it is public.
   */
  readonly url?: string;
  /** Inbound only: the argument with which `Adapter.openMedia` finds the file. At most 2,048 characters, never a secret. */
  readonly remoteRef?: string;
  /** Outbound only: the argument with which `AdapterHost.openMedia` opens the stored copy. Absent without a copy. */
  readonly mediaRef?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
  /** Inbound only, of audio and video. */
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

/** Content that consists of plain text. */
export const plainContent = (text: string): Content => ({ text, spans: [], attachments: [] });

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** The location of an attachment. Undefined if it has none. */
export function placeOf({ latitude, longitude }: ContentAttachment): Place | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

export interface ContactCard {
  readonly name: string;
  readonly phone?: string;
}

/** The person of a contact card. Undefined if the attachment is not a contact card, or is empty. */
export function cardOf({ type, name, metadata }: ContentAttachment): ContactCard | undefined {
  if (type !== 'contact') return undefined;
  const phone = nonBlank(metadata?.phone);
  const known = nonBlank(metadata?.name) ?? nonBlank(name) ?? phone;
  if (known === undefined) return undefined;
  return phone === undefined ? { name: known } : { name: known, phone };
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
