import { FileText, MapPin } from 'lucide-react';
import type { Message } from './message-pages';
import { messages as t } from './messages';

type Attachment = Message['attachments'][number];

const KIB = 1_024;

/** Signed links use the public address. The page may use a different address of the same service. */
function localPath(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}

export function Attachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 not-first:mt-2">
      {attachments.map((attachment) => (
        <AttachmentView key={attachment.id} attachment={attachment} />
      ))}
    </div>
  );
}

function AttachmentView({ attachment }: { readonly attachment: Attachment }) {
  const { type, url, alt_text: alt, name, latitude, longitude } = attachment;
  if (type === 'location') {
    return (
      <span className="inline-flex items-center gap-1 text-sm">
        <MapPin aria-hidden className="size-4" />
        {`${latitude}, ${longitude}`}
      </span>
    );
  }
  if (url === null) return <span className="untrusted text-muted text-sm">{name ?? t('attachment')}</span>;
  const source = localPath(url);
  if (type === 'image' || type === 'sticker') {
    return (
      <a href={source} target="_blank" rel="noreferrer">
        <img src={source} alt={alt ?? name ?? t('attachment')} className="max-h-64 max-w-full rounded-md" />
      </a>
    );
  }
  // biome-ignore lint/a11y/useMediaCaption: people send these without captions.
  if (type === 'audio') return <audio controls src={source} className="max-w-full" />;
  // biome-ignore lint/a11y/useMediaCaption: people send these without captions.
  if (type === 'video') return <video controls src={source} className="max-h-80 max-w-full rounded-md" />;
  return <FileLink attachment={attachment} source={source} />;
}

function FileLink({ attachment, source }: { readonly attachment: Attachment; readonly source: string }) {
  const { name, size } = attachment;
  return (
    <a
      href={source}
      download={name ?? true}
      className="inline-flex max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-2 text-sm hover:bg-hover touch:min-h-10"
    >
      <FileText aria-hidden className="size-4 shrink-0" />
      <span className="untrusted truncate">{name ?? t('attachment')}</span>
      {size !== null && <span className="shrink-0 text-muted">{`${Math.ceil(size / KIB)} KiB`}</span>}
    </a>
  );
}
