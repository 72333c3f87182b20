import { MonitorSmartphone } from 'lucide-react';
import { Button } from '../../../kit/button';
import { useDraftKeeper, useOtherDraft } from './draft-provider';
import { messages as t } from './messages';

const EXCERPT = 200;

/** Asks which text to keep if two browsers of the member have different ones. */
export function OtherDraft() {
  const keeper = useDraftKeeper();
  const other = useOtherDraft();
  if (other === undefined) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm"
    >
      <MonitorSmartphone aria-hidden className="size-4 shrink-0" />
      <p className="min-w-48 grow basis-0">
        {t('other')} <q className="untrusted line-clamp-2">{other.text.slice(0, EXCERPT)}</q>
      </p>
      <Button size="sm" onClick={() => keeper.takeOther()}>
        {t('useOther')}
      </Button>
      <Button size="sm" onClick={() => keeper.keepOwn()}>
        {t('keepOwn')}
      </Button>
    </div>
  );
}
