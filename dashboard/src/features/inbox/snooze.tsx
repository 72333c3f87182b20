import { AlarmClock } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from '../../kit/button';
import { Menu } from '../../kit/menu';
import { ChooseTime, ownZone, TimeItems } from './choose-time';
import { messages as t } from './messages';

interface SnoozeProps {
  /** In the format of `aria-keyshortcuts`. */
  readonly shortcut: string;
  readonly onChoose: (until: Date) => void;
}

/** Offers common times until which a conversation is snoozed, and a custom time. */
export function Snooze({ shortcut, onChoose }: SnoozeProps) {
  const [isChoosing, setChoosing] = useState(false);
  const title = `${t('snooze')} (${shortcut.replace('+', ' ')})`;
  const trigger: ReactElement<Record<string, unknown>> = (
    <Button kind="quiet" size="icon" title={title} aria-label={t('snooze')} aria-keyshortcuts={shortcut}>
      <AlarmClock aria-hidden className="size-4" />
    </Button>
  );
  return (
    <>
      <Menu trigger={trigger}>
        <TimeItems onChoose={onChoose} onOther={() => setChoosing(true)} />
      </Menu>
      {isChoosing && <SnoozeDialog onChoose={onChoose} onClose={() => setChoosing(false)} />}
    </>
  );
}

interface SnoozeDialogProps {
  readonly onChoose: (until: Date) => void;
  readonly onClose: () => void;
}

export function SnoozeDialog(props: SnoozeDialogProps) {
  return (
    <ChooseTime
      {...props}
      title={t('snooze')}
      help={t('snoozeHelp', { zone: ownZone() })}
      action={t('snooze')}
    />
  );
}
