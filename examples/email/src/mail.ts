import { convert } from 'html-to-text';
import type { MessageStructureObject } from 'imapflow';
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import type { MailFile, MailPayload } from './inbound.js';

/** A mail on the server: its first bytes, and the structure of all its parts. */
export interface FoundMail {
  readonly source: Uint8Array;
  readonly structure: MessageStructureObject | undefined;
  /** When the server received it. */
  readonly at: string;
  /** Unique in the account: `uidvalidity/uid`. */
  readonly place: string;
}

export interface ReadMail {
  readonly dedupeKey: string;
  readonly payload: MailPayload;
}

const MAX_TEXT_LENGTH = 20_000;
const MAX_ID_LENGTH = 190;
const MAX_FILES = 10;

export async function readMail(found: FoundMail, own: string): Promise<ReadMail> {
  const parsed = await PostalMime.parse(found.source, {
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
    maxNestingDepth: 30,
  }).catch(() => undefined);
  if (parsed === undefined) return other(found.place, 'unreadable mail');
  const id = idIn(parsed.messageId) ?? `${found.place.replace('/', '.')}@mailbox`;
  const report = parsed.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  if (report !== undefined) return { dedupeKey: id, payload: bounceOf(parsed, report, found.at, own) };
  const [from] = parsed.from?.group ?? [parsed.from];
  const address = from?.address?.toLowerCase() ?? '';
  if (!/^\S+@\S+$/.test(address)) return other(id, 'mail without a sender');
  const inReplyTo = idIn(parsed.inReplyTo) ?? idIn(parsed.references?.split(/\s+/).at(-1));
  return {
    dedupeKey: id,
    payload: {
      ...{ kind: 'mail', id, from: address, own: own.toLowerCase(), at: found.at },
      name: from?.name?.trim().slice(0, 200) ?? '',
      subject: (parsed.subject ?? '').trim().slice(0, 500),
      text: textOf(parsed),
      ...(inReplyTo === undefined ? {} : { inReplyTo }),
      automatic: isAutomatic(parsed),
      files: filesOf(found.structure, found.place),
    },
  };
}

const other = (dedupeKey: string, what: string): ReadMail => ({
  dedupeKey,
  payload: { kind: 'other', what },
});

/** The first message id in a header, without its brackets. */
function idIn(header: string | undefined): string | undefined {
  const id = header?.match(/<([^<>\s]+)>/)?.[1];
  return id !== undefined && id.length <= MAX_ID_LENGTH ? id : undefined;
}

function textOf({ text, html }: Email): string {
  const plain = text?.trim() ? text : toText(html ?? '');
  return plain.replaceAll('\r\n', '\n').slice(0, MAX_TEXT_LENGTH).toWellFormed().trim();
}

function toText(html: string): string {
  const selectors = [{ selector: 'img', format: 'skip' }];
  return convert(html, { wordwrap: false, limits: { maxInputLength: 500_000, maxDepth: 50 }, selectors });
}

const headerOf = ({ headers }: Email, name: string): string =>
  headers
    .find(({ key }) => key === name)
    ?.value.trim()
    .toLowerCase() ?? '';

/** Whether a program sent the mail, by RFC 3834 and older conventions. Programs get no reply. */
function isAutomatic(parsed: Email): boolean {
  const submitted = headerOf(parsed, 'auto-submitted').split(/[;\s]/)[0] ?? '';
  return (
    (submitted !== '' && submitted !== 'no') ||
    /^(bulk|junk|auto_reply)/.test(headerOf(parsed, 'precedence')) ||
    headerOf(parsed, 'x-autoreply') !== '' ||
    headerOf(parsed, 'return-path') === '<>'
  );
}

/** The content of a bounce (RFC 3464). The returned mail is identified by the id that this adapter gave it. */
function bounceOf(parsed: Email, report: Attachment, at: string, own: string): MailPayload {
  const fields = fieldsOf(String(report.content));
  const domain = own.split('@')[1]?.toLowerCase() ?? '';
  const original = parsed.attachments.find(({ mimeType }) =>
    ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/rfc822-headers'].includes(mimeType),
  );
  const id = idIn(/^message-id:.*?(<[^<>\s]+>)/ims.exec(String(original?.content ?? ''))?.[1]);
  const recipient = afterType(fields.get('original-recipient') ?? fields.get('final-recipient') ?? '');
  const failed = fields.get('action')?.toLowerCase() === 'failed';
  const isOurs = id !== undefined && /^[0-9a-f]{32}@/.test(id) && id.toLowerCase().endsWith(`@${domain}`);
  if (!failed || !isOurs || !/^\S+@\S+$/.test(recipient)) return { kind: 'other', what: 'delivery report' };
  const status = fields.get('status')?.match(/\d\.\d{1,3}\.\d{1,3}/)?.[0] ?? '';
  const diagnostic = afterType(fields.get('diagnostic-code') ?? '').slice(0, 300);
  return { kind: 'bounce', id, recipient: recipient.toLowerCase(), status, diagnostic, at };
}

/** The first value of each field, with its folded lines. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && !fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** The value without its type: `rfc822;grace@example.org`, `smtp; 550 no such user`. */
const afterType = (value: string): string => value.slice(value.indexOf(';') + 1).trim();

/** The parts of a mail other than its text and containers of parts. */
export function filesOf(root: MessageStructureObject | undefined, place: string): MailFile[] {
  const files: MailFile[] = [];
  const pending = root === undefined ? [] : [root];
  for (let node = pending.shift(); node !== undefined && files.length < MAX_FILES; node = pending.shift()) {
    const isWhole = node.type.startsWith('multipart/');
    if (isWhole) pending.unshift(...(node.childNodes ?? []));
    else if (!isText(node)) files.push(fileOf(node, place));
  }
  return files;
}

const nameOf = ({ dispositionParameters, parameters }: MessageStructureObject): string | undefined =>
  dispositionParameters?.filename ?? parameters?.name;

function isText(node: MessageStructureObject): boolean {
  return (
    /^text\/(plain|html)$/.test(node.type) && node.disposition !== 'attachment' && nameOf(node) === undefined
  );
}

function fileOf(node: MessageStructureObject, place: string): MailFile {
  const family = node.type.split('/', 1)[0] ?? '';
  const name = nameOf(node)?.slice(0, 200);
  return {
    ref: `${place}/${node.part ?? '1'}`,
    type: family === 'image' || family === 'video' || family === 'audio' ? family : 'file',
    mimeType: node.type.slice(0, 100),
    ...(name === undefined ? {} : { name }),
  };
}
