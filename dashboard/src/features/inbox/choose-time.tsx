import { CalendarClock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { clockTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { MenuItem } from '../../kit/menu';
import { messages as t } from './composer/messages';
import { inAnHour, localTime, mondayMorning, readLocalTime, tomorrowMorning } from './later';

interface TimeItemsProps {
  readonly onChoose: (at: Date) => void;
  /** Asks for another time. */
  readonly onOther: () => void;
}

/** Menu items with common times. */
export function TimeItems({ onChoose, onOther }: TimeItemsProps) {
  const now = new Date();
  const timeOf = (at: Date) => ({ time: clockTime(at.toISOString()) });
  return (
    <>
      <MenuItem onSelect={() => onChoose(inAnHour(now))}>{t('inAnHour')}</MenuItem>
      <MenuItem onSelect={() => onChoose(tomorrowMorning(now))}>
        {t('tomorrow', timeOf(tomorrowMorning(now)))}
      </MenuItem>
      <MenuItem onSelect={() => onChoose(mondayMorning(now))}>
        {t('monday', timeOf(mondayMorning(now)))}
      </MenuItem>
      <MenuItem icon={<CalendarClock aria-hidden />} onSelect={onOther}>
        {t('chooseTime')}
      </MenuItem>
    </>
  );
}

const FORM = 'choose-time';

interface ChooseTimeProps {
  readonly title: string;
  readonly help: string;
  /** The text of the button. */
  readonly action: string;
  readonly onChoose: (at: Date) => void;
  readonly onClose: () => void;
}

/** Asks for a time in the next year. */
export function ChooseTime({ title, help, action, onChoose, onClose }: ChooseTimeProps) {
  const [text, setText] = useState(() => localTime(tomorrowMorning(new Date())));
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React bubbles the event to the composer's form, which would send the message now.
    event.stopPropagation();
    const at = readLocalTime(text, new Date());
    setRefused(at === undefined);
    if (at === undefined) return;
    onChoose(at);
    onClose();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button type="submit" form={FORM} kind="primary">
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} description={help} actions={actions}>
      <form id={FORM} noValidate onSubmit={submit}>
        <Field label={t('time')} error={isRefused ? t('past') : undefined}>
          <Input type="datetime-local" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}

/** The time zone of the browser, in which people enter times. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
