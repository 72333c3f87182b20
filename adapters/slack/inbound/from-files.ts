import type { AttachmentType, ContentAttachment } from '../../../src/contract/index.js';
import type { SlackFile } from './payloads.js';

/** The representation of a message's files on other platforms. */
export interface ParsedFiles {
  readonly attachments: readonly ContentAttachment[];
  /** Links of files that open in Slack or at another service and cannot be downloaded. */
  readonly links: readonly { readonly title: string; readonly url: string }[];
  /** A note that the message had a file. Used if the message has no other content. */
  readonly missing: string | undefined;
}

/** Maximum number of attachments. Further files become links. */
export const MAX_ATTACHMENTS = 10;

/** Types of files that only Slack can show (docs.slack.dev/reference/objects/file-object). */
const PAGES = new Set(['quip', 'canvas', 'docs', 'list', 'lists', 'space']);
/** Modes of files that are deleted, or hidden by the workspace's plan. */
const GONE: Readonly<Record<string, string>> = {
  tombstone: '[deleted file]',
  hidden_by_limit: '[hidden file]',
};
const OUT_OF_REACH = new Set(['access_denied', 'file_not_found']);

/** Names of pages without a title, by their type. */
const TITLES: Readonly<Record<string, string>> = {
  list: 'List',
  lists: 'List',
  quip: 'Canvas',
  canvas: 'Canvas',
};

export function isPage({
  mode = '',
  filetype = '',
  mimetype = '',
}: Pick<SlackFile, 'mode' | 'filetype' | 'mimetype'>): boolean {
  return PAGES.has(mode) || PAGES.has(filetype) || mimetype.startsWith('application/vnd.slack-');
}

export function parseFiles(files: readonly (SlackFile | null)[]): ParsedFiles {
  const attachments: ContentAttachment[] = [];
  const links: { title: string; url: string }[] = [];
  let missing: string | undefined;
  const seen = new Set<string>();
  for (const file of files) {
    if (file === null || seen.has(file.id)) continue;
    seen.add(file.id);
    const gone = goneAs(file);
    const isFile = gone === undefined && !isElsewhere(file) && !isPage(file);
    if (isFile && attachments.length < MAX_ATTACHMENTS) attachments.push(attachmentOf(file));
    else {
      const link = linkOf(file);
      if (link !== undefined) links.push(link);
      else missing ??= gone ?? `[${titleOf(file) ?? 'file'}]`;
    }
  }
  return { attachments, links, missing };
}

function goneAs({ mode = '', file_access: access = '' }: SlackFile): string | undefined {
  return GONE[mode] ?? (OUT_OF_REACH.has(access) ? '[file that the app may not see]' : undefined);
}

/** A file of another service is only a link in Slack. */
function isElsewhere({ mode, is_external }: SlackFile): boolean {
  return mode === 'external' || is_external === true;
}

/** Links to the other service, because it needs no Slack account. */
function linkOf(file: SlackFile): { title: string; url: string } | undefined {
  const { external_url, permalink, url_private } = file;
  const places = isElsewhere(file) ? [external_url, url_private, permalink] : [permalink, url_private];
  const url = places.find((place) => place !== undefined && /^https?:\/\//.test(place));
  return url === undefined ? undefined : { title: titleOf(file) ?? url, url };
}

function titleOf({ title, name, mode = '', filetype = '' }: SlackFile): string | undefined {
  return title || name || TITLES[mode] || TITLES[filetype];
}

/** The file is identified by its id, because the private URL requires the bot token. */
function attachmentOf(file: SlackFile): ContentAttachment {
  const name = file.name ?? file.title;
  return {
    type: attachmentType(file.mimetype),
    remoteRef: file.id,
    ...(name === undefined ? {} : { name }),
    ...(file.mimetype === undefined ? {} : { mimeType: file.mimetype }),
    ...(file.size === undefined ? {} : { sizeBytes: file.size }),
    ...(file.duration_ms === undefined ? {} : { durationMs: Math.round(file.duration_ms) }),
    ...(file.alt_txt === undefined || file.alt_txt === '' ? {} : { altText: file.alt_txt.slice(0, 1_000) }),
  };
}

function attachmentType(mimeType = ''): AttachmentType {
  const [major] = mimeType.split('/');
  return major === 'image' || major === 'video' || major === 'audio' ? major : 'file';
}
