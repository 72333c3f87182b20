import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../kit/button';
import { Menu } from '../../../kit/menu';
import { ChooseTime, ownZone, TimeItems } from '../choose-time';
import { messages as t } from './messages';

interface SendLaterProps {
  readonly isDisabled: boolean;
  readonly onChoose: (at: Date) => void;
}

/** Offers common send times, and a custom time. */
export function SendLater({ isDisabled, onChoose }: SendLaterProps) {
  const [isChoosing, setChoosing] = useState(false);
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
  return (
    <>
      <Menu trigger={trigger}>
        <TimeItems onChoose={onChoose} onOther={() => setChoosing(true)} />
      </Menu>
      {isChoosing && (
        <ChooseTime
          title={t('sendLater')}
          help={t('laterHelp', { zone: ownZone() })}
          action={t('schedule')}
          onChoose={onChoose}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
