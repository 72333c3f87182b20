import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Retention } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { Card } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { retentionQuery, useSetRetention } from './queries';
import { messages as t } from './retention-messages';

const MAX_DAYS = 36_500;

export function RetentionCard() {
  const { data } = useQuery(retentionQuery);
  return (
    <Card title={t('title')} description={t('help')}>
      {data && <RetentionForm key={data.messages_days} retention={data} />}
    </Card>
  );
}

/** Null means no limit. Undefined means that the text is not a valid number of days. */
function daysOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? days : undefined;
}

function RetentionForm({ retention }: { readonly retention: Retention }) {
  const set = useSetRetention();
  const [text, setText] = useState(retention.messages_days?.toString() ?? '');
  const [isInvalid, setInvalid] = useState(false);
  const [asked, setAsked] = useState<number | null>(null);
  const save = (days: number | null) =>
    set.mutate(days, {
      onSuccess: () => {
        setAsked(null);
        showToast(days === null ? t('forever') : t('saved', { days }));
      },
      onError: showError,
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const days = daysOf(text);
    setInvalid(days === undefined);
    if (days === null) save(null);
    else if (days !== undefined) setAsked(days);
  };
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <Field label={t('days')} help={t('daysHelp')} error={isInvalid ? t('invalid') : undefined}>
        <Input inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <InstallationDays {...retention.installation} />
      <Button type="submit" className="self-start" disabled={set.isPending}>
        {t('save')}
      </Button>
      {asked !== null && (
        <ConfirmDays days={asked} isBusy={set.isPending} onClose={() => setAsked(null)} onConfirm={save} />
      )}
    </form>
  );
}

function InstallationDays(days: Retention['installation']) {
  return (
    <>
      {days.messages_days !== null && (
        <p className="text-muted text-sm">{t('ceiling', { days: days.messages_days })}</p>
      )}
      <p className="text-muted text-sm">
        {t('others', {
          envelopes: days.envelopes_days,
          attempts: days.attempts_days,
          events: days.events_days,
        })}
      </p>
    </>
  );
}

interface ConfirmDaysProps {
  readonly days: number;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (days: number) => void;
}

/** Deleted data cannot be restored, so the dialog states the consequences first. */
function ConfirmDays({ days, isBusy, onClose, onConfirm }: ConfirmDaysProps) {
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="destructive" onClick={() => onConfirm(days)} disabled={isBusy}>
        {t('confirm')}
      </Button>
    </>
  );
  const title = t('confirmTitle', { days });
  return <Dialog isOpen onClose={onClose} title={title} description={t('consequences')} actions={actions} />;
}
