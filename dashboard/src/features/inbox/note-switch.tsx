import { Lock, Reply } from 'lucide-react';
import { Button } from '../../kit/button';
import { messages as t } from './messages';

interface NoteSwitchProps {
  readonly isNote: boolean;
  readonly onChange: (isNote: boolean) => void;
}

/** Switches between a reply and an internal note. */
export function NoteSwitch({ isNote, onChange }: NoteSwitchProps) {
  const look = 'aria-pressed:bg-selected aria-pressed:text-accent-text';
  return (
    <fieldset aria-label={t('goesTo')} className="flex gap-1">
      <Button size="sm" kind="quiet" aria-pressed={!isNote} className={look} onClick={() => onChange(false)}>
        <Reply aria-hidden className="size-4" />
        {t('reply')}
      </Button>
      <Button
        size="sm"
        kind="quiet"
        aria-pressed={isNote}
        aria-keyshortcuts="W"
        className={look}
        onClick={() => onChange(true)}
      >
        <Lock aria-hidden className="size-4" />
        {t('note')}
      </Button>
    </fieldset>
  );
}
