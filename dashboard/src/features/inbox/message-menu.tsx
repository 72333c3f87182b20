import { Copy, History, MoreHorizontal, Pencil, Reply, Trash2 } from 'lucide-react';
import { Button } from '../../kit/button';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu';
import { platformName } from '../../kit/platform';
import { messages as traceTexts } from '../../kit/trace/messages';
import { messages as t } from './action-messages';
import { type MessageActions, type Opened, useMessageActions } from './message-actions';
import type { Message } from './message-pages';
import { messages as keys } from './shortcut-messages';

interface MessageMenuProps {
  readonly message: Message;
  readonly name: string;
  readonly onOpen: (what: Opened) => void;
}

/** The actions for a message. It appears on hover and on focus. On devices without hover it is always visible. */
export function MessageMenu({ message, name, onOpen }: MessageMenuProps) {
  const trigger = (
    <Button kind="quiet" size="icon" aria-label={t('actions', { name })} className="h-7 w-7">
      <MoreHorizontal aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="shrink-0 opacity-0 focus-within:opacity-100 group-hover:opacity-100 group-focus:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
      <Menu trigger={trigger}>
        <Items message={message} name={name} onOpen={onOpen} />
      </Menu>
    </div>
  );
}

function Items({ message, name, onOpen }: MessageMenuProps) {
  const actions = useMessageActions(message, name, onOpen);
  const { reply, edit, copy, remove, trace } = actions;
  return (
    <>
      <Emoji actions={actions} />
      {reply && (
        <MenuItem icon={<Reply aria-hidden />} shortcut="Q" onSelect={reply.run}>
          {t('reply')}
        </MenuItem>
      )}
      {edit && (
        <MenuItem icon={<Pencil aria-hidden />} shortcut="M" detail={detail(edit.notOn)} onSelect={edit.run}>
          {t('edit')}
        </MenuItem>
      )}
      {copy && (
        <MenuItem icon={<Copy aria-hidden />} shortcut="C" onSelect={copy.run}>
          {keys('copy')}
        </MenuItem>
      )}
      {remove && (
        <MenuItem
          icon={<Trash2 aria-hidden />}
          isDanger
          shortcut="Del"
          detail={detail(remove.notOn)}
          onSelect={remove.run}
        >
          {t('remove')}
        </MenuItem>
      )}
      <MenuItem icon={<History aria-hidden />} shortcut="H" onSelect={trace.run}>
        {traceTexts('open')}
      </MenuItem>
    </>
  );
}

function Emoji({ actions: { emoji, react } }: { readonly actions: MessageActions }) {
  if (emoji.length === 0) return null;
  return (
    <>
      <div className="flex gap-0.5">
        {emoji.map((each) => (
          <MenuItem key={each} onSelect={() => react.run(each)} label={t('react', { emoji: each })}>
            {each}
          </MenuItem>
        ))}
      </div>
      {react.notOn.length > 0 && (
        <p className="untrusted px-2 pb-1 text-muted text-xs">{detail(react.notOn)}</p>
      )}
      <MenuSeparator />
    </>
  );
}

const detail = (notOn: readonly string[]): string | undefined =>
  notOn.length === 0 ? undefined : t('notOn', { platforms: notOn.map(platformName).join(', ') });
