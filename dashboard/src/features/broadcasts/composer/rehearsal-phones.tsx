import { usePeople } from '../../../api/people';
import type { Rehearsal, RehearsalPreview } from '../../../api/rehearsals';
import { Status } from '../../../kit/badge';
import { degradationName } from '../../../kit/degradations';
import { PhonePreview } from '../../../kit/phone-preview';
import { PlatformBadge } from '../../../kit/platform';
import { billedText } from '../billing';
import { rehearsalMessages as t } from './rehearsal-messages';

/** Shows what up to 20 recipients would see on their phones. */
export function RehearsalPhones({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { previews, connections } = rehearsal;
  const people = usePeople(previews.map(({ user_id: id }) => id));
  const names = new Map(connections.map(({ connection_id: id, name }) => [id, name]));
  if (previews.length === 0) return null;
  return (
    <section aria-label={t('previews')} className="flex flex-col gap-2">
      <h3 className="font-semibold text-sm">{t('previews')}</h3>
      <ul className="-mx-4 flex snap-x gap-4 overflow-x-auto px-4 pb-3">
        {previews.map((preview, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a person may be shown twice, and the list does not change.
            key={index}
            className="w-60 shrink-0 snap-center"
          >
            <Phone
              preview={preview}
              person={people.get(preview.user_id)?.display_name ?? preview.address ?? t('newContact')}
              sender={names.get(preview.connection_id) ?? t('company')}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PhoneProps {
  readonly preview: RehearsalPreview;
  readonly person: string;
  readonly sender: string;
}

function Phone({ preview, person, sender }: PhoneProps) {
  const { platform, texts, files, reason, refusal, missing, parts, billed, variant, degradations } = preview;
  const isReached = refusal === null && missing.length === 0;
  const details = [
    ...(isReached ? [t('parts', { count: parts })] : []),
    ...(billed === null ? [] : [billedText(billed.count, billed.unit)]),
    ...(variant === null ? [] : [t('variant', { key: variant })]),
    ...(degradations.length > 0
      ? [t('notShown', { names: degradations.map(degradationName).join(', ') })]
      : []),
  ];
  return (
    <figure className="flex flex-col gap-2">
      <PhonePreview
        platform={platform ?? ''}
        sender={sender}
        texts={isReached ? texts : []}
        spans={preview.spans}
        files={isReached ? files : []}
        label={t('phoneOf', { name: person })}
        instead={isReached ? undefined : <Nothing preview={preview} />}
      />
      <figcaption className="flex flex-col gap-1 px-1 text-xs">
        <span className="flex min-w-0 flex-wrap items-center gap-1.5">
          {platform !== null && <PlatformBadge platform={platform} />}
          <Status tone={isReached ? 'neutral' : 'warning'}>{t(`because_${reason}`)}</Status>
        </span>
        <span className="untrusted truncate font-medium">{person}</span>
        <span className="untrusted break-words text-muted">{details.join(' · ')}</span>
      </figcaption>
    </figure>
  );
}

/** Shows why nothing arrives, and the text that would have been sent. */
function Nothing({ preview: { refusal, missing, texts } }: { readonly preview: RehearsalPreview }) {
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-(--phone-line) bg-(--phone-field) p-3 text-xs">
      <p className="font-semibold">{t('nothing')}</p>
      <p className="untrusted break-words">
        {refusal === null ? t('missing', { names: missing.join(', ') }) : refusal.message}
      </p>
      <p className="untrusted line-clamp-6 whitespace-pre-wrap break-words text-(--phone-muted)">
        {texts[0]}
      </p>
    </div>
  );
}
