import { MoreHorizontal, Pencil, Reply, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu';
import { showToast } from '../../kit/toast';
import { messages as t } from './action-messages';
import { useReact, useRemoveMessage } from './message-changes';
import type { Message } from './message-pages';
import { useReplying } from './replying';

/** The first ones that Telegram, Discord and Slack offer. */
const EMOJI = ['👍', '❤️', '😂', '🎉', '🙏'];
/** States in which the service refuses a change of the text. */
const FINAL: readonly Message['status'][] = ['failed', 'expired', 'canceled', 'blocked'];

interface MessageMenuProps {
  readonly message: Message;
  readonly name: string;
  readonly onEdit: () => void;
}

/** What can be done with a message. It appears on hover, on focus, and always where there is no pointer that hovers. */
export function MessageMenu({ message, name, onEdit }: MessageMenuProps) {
  const { canWrite } = usePermissions();
  const { start } = useReplying();
  const [isRemoving, setRemoving] = useState(false);
  const react = useReact(message);
  if (!canWrite) return null;
  const isOurs = message.direction !== 'inbound';
  const canEdit = isOurs && !FINAL.includes(message.status);
  const trigger = (
    <Button kind="quiet" size="icon" aria-label={t('actions', { name })} className="h-7 w-7">
      <MoreHorizontal aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="shrink-0 opacity-0 focus-within:opacity-100 group-hover:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
      <Menu trigger={trigger}>
        <div className="flex gap-0.5">
          {EMOJI.map((emoji) => (
            <MenuItem key={emoji} onSelect={() => react(emoji, true)} label={t('react', { emoji })}>
              {emoji}
            </MenuItem>
          ))}
        </div>
        <MenuSeparator />
        <MenuItem icon={<Reply aria-hidden />} onSelect={() => start(message, name)}>
          {t('reply')}
        </MenuItem>
        {canEdit && (
          <MenuItem icon={<Pencil aria-hidden />} onSelect={onEdit}>
            {t('edit')}
          </MenuItem>
        )}
        {isOurs && (
          <MenuItem icon={<Trash2 aria-hidden />} isDanger onSelect={() => setRemoving(true)}>
            {t('remove')}
          </MenuItem>
        )}
      </Menu>
      {isRemoving && <RemoveMessage message={message} onClose={() => setRemoving(false)} />}
    </div>
  );
}

function RemoveMessage({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const remove = useRemoveMessage(message);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wasRemoved'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('removeTitle')}
      description={t(message.direction === 'internal' ? 'removeNoteHelp' : 'removeHelp')}
      action={t('remove')}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
