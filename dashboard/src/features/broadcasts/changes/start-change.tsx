import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeKind, ChangePreview } from '../../../api/broadcast-paths';
import { explain } from '../../../api/errors';
import { Status } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { Dialog } from '../../../kit/dialog';
import { ErrorState, SkeletonList } from '../../../kit/feedback';
import { Field, TextArea } from '../../../kit/field';
import { showToast } from '../../../kit/toast';
import type { Broadcast } from '../queries';
import { useTypedCount } from '../type-count';
import { changeMessages as t } from './messages';
import { changePreviewQuery, useStartChange } from './queries';

const MAX_LENGTH = 10_000;

interface StartChangeProps {
  readonly broadcast: Broadcast;
  readonly kind: ChangeKind;
  readonly onClose: () => void;
}

/** Shows on which platforms an edit or recall is possible before it starts. */
export function StartChange({ broadcast, kind, onClose }: StartChangeProps) {
  const preview = useQuery(changePreviewQuery(broadcast.id, kind));
  const start = useStartChange(broadcast.id, kind);
  const [text, setText] = useState(broadcast.text ?? '');
  const possible = preview.data?.platforms.reduce((sum, each) => sum + each.possible, 0) ?? 0;
  const { isTyped, field } = useTypedCount(possible);
  const isText = kind === 'recall' || (text.trim() !== '' && text !== broadcast.text);
  const begin = () =>
    start.mutate(kind === 'edit' ? text : undefined, {
      onSuccess: () => {
        showToast(t(`${kind}Started`));
        onClose();
      },
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('back')}</Button>
      <Button
        kind={kind === 'recall' ? 'danger' : 'primary'}
        disabled={possible === 0 || !isText || !isTyped || start.isPending}
        onClick={begin}
      >
        {t(`${kind}Now`)}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(`${kind}Title`)}
      description={t(`${kind}Help`)}
      actions={actions}
    >
      {kind === 'edit' && <NewText text={text} onChange={setText} />}
      {preview.error !== null && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.isPending && <SkeletonList rows={3} />}
      {preview.data !== undefined && <Where preview={preview.data} possible={possible} />}
      {field}
      {start.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(start.error).advice}
        </p>
      )}
    </Dialog>
  );
}

function NewText({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  return (
    <Field label={t('newText')} help={t('newTextHelp')}>
      <TextArea
        rows={4}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** Lists for each platform the recipients that the change can reach and those that it cannot. */
function Where({ preview, possible }: { readonly preview: ChangePreview; readonly possible: number }) {
  return (
    <section aria-label={t('where')} className="flex flex-col gap-2 text-sm">
      <p className="font-medium">{t('possibleFor', { count: possible })}</p>
      <ul className="flex flex-col gap-2">
        {preview.platforms.map((each) => (
          <li key={each.platform} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="untrusted min-w-24 font-medium">{each.name}</span>
            <span className="flex min-w-0 grow basis-full flex-col gap-1 sm:basis-0">
              {each.possible > 0 && (
                <span>
                  <Status tone="success">{t('possibleHere', { count: each.possible })}</Status>
                </span>
              )}
              {impossibleOf(preview.kind, each).map((reason) => (
                <span key={reason}>
                  <Status tone="warning">{reason}</Status>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function impossibleOf(kind: ChangeKind, each: ChangePreview['platforms'][number]): string[] {
  const { recipients, unsupported, too_old: old, deleted, max_age_s: age } = each;
  if (unsupported === 'platform') return [t(`${kind}Unsupported`, { count: recipients })];
  if (unsupported === 'not_installed') return [t('notInstalled', { count: recipients })];
  const hours = Math.floor((age ?? 0) / 3600);
  return [
    ...(old > 0 ? [t('tooOld', { count: old, hours })] : []),
    ...(deleted > 0 ? [t('alreadyDeleted', { count: deleted })] : []),
  ];
}
