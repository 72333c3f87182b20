import { messages as t } from './messages';

type Metadata = Readonly<Record<string, unknown>>;

/** A record may have thousands of keys. */
const MAX_SHOWN = 20;

/** The metadata of a record, such as the columns of an import. Values other than texts are shown as JSON. */
export function MetadataList({ metadata }: { readonly metadata: Metadata }) {
  const entries = Object.entries(metadata);
  const hidden = entries.length - MAX_SHOWN;
  return (
    <>
      <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {entries.slice(0, MAX_SHOWN).map(([key, value]) => (
          <div key={key} className="contents">
            <dt className="untrusted truncate text-muted">{key}</dt>
            <dd className="untrusted line-clamp-3 break-words">{textOf(value)}</dd>
          </div>
        ))}
      </dl>
      {hidden > 0 && <p className="text-muted text-xs">{t('moreKeys', { count: hidden })}</p>}
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
