import { CircleAlert, CircleX, Eye } from 'lucide-react';
import type { Draft, LinkPreview } from '../../../api/inbox-paths';
import { degradationText } from '../../../kit/degradations';
import { platformName } from '../../../kit/platform';
import { Popover } from '../../../kit/popover';
import { messages as t } from './messages';
import { usePreview } from './queries';

interface PreviewProps {
  readonly conversationId: string;
  readonly draft: Draft;
}

/** Shows how each platform displays the text, in one line, with details on demand. */
export function Preview({ conversationId, draft }: PreviewProps) {
  const links = usePreview(conversationId, draft);
  if (links.length === 0) return <span />;
  const trigger = (
    <button
      type="button"
      aria-keyshortcuts="V"
      className="flex min-w-0 max-w-full items-center touch:min-h-10 gap-1 rounded-sm text-left text-muted text-xs hover:text-text"
    >
      <Mark links={links} />
      <span className="untrusted truncate">{links.map(summary).join(' · ')}</span>
    </button>
  );
  return (
    <Popover trigger={trigger} title={t('title')}>
      <ul className="flex flex-col gap-3">
        {links.map((link) => (
          <Details key={link.link_id} link={link} />
        ))}
      </ul>
    </Popover>
  );
}

function Mark({ links }: { readonly links: readonly LinkPreview[] }) {
  if (links.some(({ refusal }) => refusal !== null))
    return <CircleX aria-label={t('refusedMark')} className="size-3.5 shrink-0 text-danger" />;
  if (links.some(({ degradations }) => degradations.length > 0))
    return <CircleAlert aria-label={t('lostMark')} className="size-3.5 shrink-0 text-warning" />;
  return <Eye aria-hidden className="size-3.5 shrink-0" />;
}

function summary(link: LinkPreview): string {
  return `${platformName(link.platform)}: ${countOf(link)}`;
}

/** Shows the number of billed units if the platform bills parts of messages. */
function countOf({ refusal, billed, parts }: LinkPreview): string {
  if (refusal !== null) return t('refused');
  if (billed?.unit === 'segments') return t('segments', { count: billed.count });
  return t('parts', { count: parts });
}

function Details({ link }: { readonly link: LinkPreview }) {
  const { platform, title, refusal, parts, billed, outside_gsm7, degradations, is_planned } = link;
  return (
    <li className="flex flex-col gap-0.5 text-sm">
      <p className="untrusted truncate font-medium">
        {title === null ? platformName(platform) : `${platformName(platform)}: ${title}`}
      </p>
      {refusal === null ? (
        <p>{[t('parts', { count: parts }), ...(billed === null ? [] : [billing(billed)])].join(' · ')}</p>
      ) : (
        <p className="untrusted text-danger">{`${t('refused')}: ${refusal.message}`}</p>
      )}
      {outside_gsm7.length > 0 && (
        <p className="untrusted text-muted">{t('ucs2', { characters: outside_gsm7.join(' ') })}</p>
      )}
      {degradations.length > 0 && <p className="untrusted text-warning">{degradationText(degradations)}</p>}
      {!is_planned && <p className="text-muted">{t('estimate')}</p>}
    </li>
  );
}

function billing({ unit, count }: NonNullable<LinkPreview['billed']>): string {
  return unit === 'segments' ? t('segments', { count }) : `${count} ${unit}`;
}
