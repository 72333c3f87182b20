import { type FormEvent, useId, useState } from 'react';
import { explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { Select } from '../../kit/select';
import { showToast } from '../../kit/toast';
import { messages as t } from './recover-messages';
import { useRecover, type Webhook } from './webhook-queries';

const HOUR_MS = 3_600_000;
const KEPT_MS = 720 * HOUR_MS;
const RANGES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS } as const;
type Range = keyof typeof RANGES | 'chosen';

/** Asks for the start of the period whose failed deliveries are retried. */
export function Recover({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const recover = useRecover(webhook.id);
  const form = useId();
  const [range, setRange] = useState<Range>('day');
  const [chosen, setChosen] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const since = sinceOf(range, chosen);
    setInvalid(since === undefined);
    if (since === undefined) return;
    recover.mutate(since, {
      onSuccess: ({ count }) => {
        showToast(t('recovered', { count }));
        onClose();
      },
    });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={form} disabled={recover.isPending}>
        {t('action')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('title')} description={t('help')} actions={actions}>
      <form id={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field label={t('since')}>
          <Select
            value={range}
            onChange={setRange}
            options={{ hour: t('hour'), day: t('day'), week: t('week'), chosen: t('chosen') }}
          />
        </Field>
        {range === 'chosen' && (
          <Field label={t('from')} error={isInvalid ? t('invalid') : undefined}>
            <Input type="datetime-local" value={chosen} onChange={(event) => setChosen(event.target.value)} />
          </Field>
        )}
        {recover.error !== null && (
          <p role="alert" className="text-danger text-sm">
            {explain(recover.error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** Undefined if the service would reject the time. */
function sinceOf(range: Range, chosen: string): string | undefined {
  const now = Date.now();
  const since = range === 'chosen' ? Date.parse(chosen) : now - RANGES[range];
  return since <= now && since > now - KEPT_MS ? new Date(since).toISOString() : undefined;
}
