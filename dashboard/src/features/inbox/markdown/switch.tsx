import { Bold } from 'lucide-react';
import { Button } from '../../../kit/button';
import { Tooltip } from '../../../kit/tooltip';
import { messages as t } from './messages';

interface MarkdownSwitchProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Switches between Markdown and plain text. */
export function MarkdownSwitch({ isOn, onChange }: MarkdownSwitchProps) {
  return (
    <Tooltip text={t(isOn ? 'help' : 'offHelp')}>
      <Button
        size="sm"
        kind="quiet"
        aria-pressed={isOn}
        className="shrink-0 max-sm:w-10 aria-pressed:bg-selected aria-pressed:text-accent-text"
        onClick={() => onChange(!isOn)}
      >
        <Bold aria-hidden className="size-3.5" />
        <span className="max-sm:sr-only">{t('name')}</span>
      </Button>
    </Tooltip>
  );
}
