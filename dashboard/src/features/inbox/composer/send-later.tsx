import { CalendarClock, ChevronDown } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { clockTime } from '../../../i18n/time';
import { Button } from '../../../kit/button';
import { Dialog } from '../../../kit/dialog';
import { Field, Input } from '../../../kit/field';
import { Menu, MenuItem } from '../../../kit/menu';
import { inAnHour, localTime, mondayMorning, readLocalTime, tomorrowMorning } from './later';
import { messages as t } from './messages';

interface SendLaterProps {
  readonly isDisabled: boolean;
  readonly onChoose: (at: Date) => void;
}

/** Offers common send times, and a custom time. */
export function SendLater({ isDisabled, onChoose }: SendLaterProps) {
  const [isChoosing, setChoosing] = useState(false);
  const now = new Date();
  const trigger = (
    <Button
      kind="primary"
      size="icon"
      disabled={isDisabled}
      aria-label={t('sendLater')}
      aria-keyshortcuts="Shift+S"
      className="w-7 rounded-l-none"
    >
      <ChevronDown aria-hidden className="size-4" />
    </Button>
  );
  const timeOf = (at: Date) => ({ time: clockTime(at.toISOString()) });
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem onSelect={() => onChoose(inAnHour(now))}>{t('inAnHour')}</MenuItem>
        <MenuItem onSelect={() => onChoose(tomorrowMorning(now))}>
          {t('tomorrow', timeOf(tomorrowMorning(now)))}
        </MenuItem>
        <MenuItem onSelect={() => onChoose(mondayMorning(now))}>
          {t('monday', timeOf(mondayMorning(now)))}
        </MenuItem>
        <MenuItem icon={<CalendarClock aria-hidden />} onSelect={() => setChoosing(true)}>
          {t('chooseTime')}
        </MenuItem>
      </Menu>
      {isChoosing && <ChooseTime onChoose={onChoose} onClose={() => setChoosing(false)} />}
    </>
  );
}

const FORM = 'send-later';

interface ChooseTimeProps {
  readonly onChoose: (at: Date) => void;
  readonly onClose: () => void;
}

function ChooseTime({ onChoose, onClose }: ChooseTimeProps) {
  const [text, setText] = useState(() => localTime(tomorrowMorning(new Date())));
  const [isRefused, setRefused] = useState(false);
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
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
        {t('schedule')}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('sendLater')}
      description={t('laterHelp', { zone })}
      actions={actions}
    >
      <form id={FORM} noValidate onSubmit={submit}>
        <Field label={t('time')} error={isRefused ? t('past') : undefined}>
          <Input type="datetime-local" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
