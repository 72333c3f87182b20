import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { messages as kit } from '../../kit/messages';
import { messages as trace } from '../../kit/trace/messages';
import { messages as actions } from './action-messages';
import { messages as bulk } from './bulk/messages';
import { messages as calls } from './call-messages';
import { messages as composer } from './composer/messages';
import { messages as details } from './details/messages';
import { messages as jump } from './jump-messages';
import { messages as markdown } from './markdown/messages';
import { messages as t } from './messages';
import { messages as preview } from './preview/messages';
import { messages as keys } from './shortcut-messages';
import { areShortcutsOff, turnShortcuts, useShortcuts } from './shortcuts';

/** Lists each shortcut with its action. */
const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    t('conversations'),
    [
      ['J', jump('next')],
      ['K', jump('previous')],
      ['/', t('search')],
      ['F', t('filters')],
      ['R', t('write')],
      ['W', keys('writeNote')],
      ['E', t('resolve')],
      ['A', t('assign')],
      ['Z', t('snooze')],
      ['L', details('addLabel')],
      ['I', details('details')],
      ['P', calls('call')],
      ['U', kit('undo')],
      ['?', t('shortcuts')],
    ],
  ],
  [
    keys('selected'),
    [
      ['X', keys('select')],
      ['Shift E', bulk('resolve')],
      ['Shift A', bulk('assign')],
      ['Shift Z', t('snooze')],
      ['Shift X', bulk('clear')],
    ],
  ],
  [
    keys('chosenMessage'),
    [
      ['↑ ↓', keys('choose')],
      ['Q', actions('reply')],
      ['1 – 5', keys('react')],
      ['M', actions('edit')],
      ['C', keys('copy')],
      ['H', trace('open')],
      ['T', t('retry')],
      ['Y', t('arrived')],
      ['N', t('notArrived')],
      ['S', composer('sendNow')],
      ['Delete', keys('removeOrDiscard')],
      ['Esc', keys('leave')],
    ],
  ],
  [
    keys('text'),
    [
      ['V', preview('title')],
      ['Shift F', kit('attach')],
      ['Shift S', composer('sendLater')],
      ['Esc', keys('leaveField')],
      ['Ctrl/⌘ B', markdown('bold')],
      ['Ctrl/⌘ I', markdown('italic')],
      ['Ctrl/⌘ E', markdown('code')],
      ['Ctrl/⌘ K', markdown('link')],
    ],
  ],
];

/** `?` shows all shortcuts. Users who prefer other keys can turn them off there. */
export function ShortcutHelp() {
  const [isOpen, setOpen] = useState(false);
  const [isOff, setOff] = useState(areShortcutsOff);
  useShortcuts({ '?': () => setOpen(true) });
  const toggle = () => {
    turnShortcuts(isOff);
    setOff(!isOff);
  };
  return (
    <>
      <Button
        kind="quiet"
        size="icon"
        aria-label={t('shortcuts')}
        className="max-md:hidden"
        onClick={() => setOpen(true)}
      >
        <Keyboard aria-hidden className="size-4" />
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('shortcuts')}
        isWide
        actions={<Button onClick={toggle}>{isOff ? t('shortcutsOn') : t('shortcutsOff')}</Button>}
      >
        <div className="gap-8 md:columns-2">
          {GROUPS.map(([title, entries]) => (
            <section key={title} aria-label={title} className="mb-4 break-inside-avoid">
              <h3 className="mb-2 font-medium text-muted text-sm">{title}</h3>
              <KeyList entries={entries} isOff={isOff} />
            </section>
          ))}
        </div>
      </Dialog>
    </>
  );
}

interface KeyListProps {
  readonly entries: readonly (readonly [string, string])[];
  readonly isOff: boolean;
}

function KeyList({ entries, isOff }: KeyListProps) {
  return (
    <dl className={`grid grid-cols-[6rem_1fr] gap-x-4 gap-y-2 ${isOff ? 'text-muted line-through' : ''}`}>
      {entries.map(([key, text]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="whitespace-nowrap rounded-sm border border-line bg-canvas px-1.5 font-sans text-sm">
              {key}
            </kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
