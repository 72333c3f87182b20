import { Check, UserPlus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../../api/session';
import { momentTime } from '../../../i18n/time';
import { Button } from '../../../kit/button';
import { Tooltip } from '../../../kit/tooltip';
import { type Change, changeConversations, snoozedUntil } from '../conversation-actions';
import { Snooze } from '../snooze';
import { messages as t } from './messages';
import type { Selected } from './selection';

/** The actions for all selected conversations. */
export function BulkBar({ selected }: { readonly selected: Selected }) {
  const { user } = useSession();
  const { conversations, clear } = selected;
  if (conversations.length === 0) return null;
  const act = (change: Change, title: 'didResolve' | 'didAssign' | 'didSnooze', time = '') => {
    void changeConversations(conversations, change, (count) => t(title, { count, time }));
    clear();
  };
  return (
    <div role="toolbar" className="flex items-center gap-1 border-line border-b bg-selected px-3 py-1">
      <span className="grow font-medium text-sm">{t('selected', { count: conversations.length })}</span>
      <Action
        title={t('resolve')}
        shortcut="Shift+E"
        onClick={() => act({ status: 'resolved' }, 'didResolve')}
      >
        <Check aria-hidden className="size-4" />
      </Action>
      <Action
        title={t('assign')}
        shortcut="Shift+A"
        onClick={() => act({ assignee_id: user.id }, 'didAssign')}
      >
        <UserPlus aria-hidden className="size-4" />
      </Action>
      <Snooze
        shortcut="Shift+Z"
        onChoose={(until) => act(snoozedUntil(until), 'didSnooze', momentTime(until.toISOString()))}
      />
      <Action title={t('clear')} shortcut="Shift+X" onClick={clear}>
        <X aria-hidden className="size-4" />
      </Action>
    </div>
  );
}

interface ActionProps {
  readonly title: string;
  /** In the format of `aria-keyshortcuts`. */
  readonly shortcut: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Action({ title, shortcut, onClick, children }: ActionProps) {
  return (
    <Tooltip text={`${title} (${shortcut.replace('+', ' ')})`}>
      <Button kind="quiet" size="icon" aria-label={title} aria-keyshortcuts={shortcut} onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  );
}
