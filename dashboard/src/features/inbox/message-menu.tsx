import { useQuery } from '@tanstack/react-query';
import { History, MoreHorizontal, Pencil, Reply, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu';
import { showToast } from '../../kit/toast';
import { type Ability, abilitiesOf, capabilitiesQuery } from './abilities';
import { messages as t } from './action-messages';
import { useReact, useRemoveMessage } from './message-changes';
import type { Message } from './message-pages';
import { MessageTrace } from './message-trace';
import { useReplying } from './replying';
import { messages as traceTexts } from './trace-messages';

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
  const [isRemoving, setRemoving] = useState(false);
  const [isTracing, setTracing] = useState(false);
  const trigger = (
    <Button kind="quiet" size="icon" aria-label={t('actions', { name })} className="h-7 w-7">
      <MoreHorizontal aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="shrink-0 opacity-0 focus-within:opacity-100 group-hover:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
      <Menu trigger={trigger}>
        {canWrite && (
          <Items message={message} name={name} onEdit={onEdit} onRemove={() => setRemoving(true)} />
        )}
        <MenuItem icon={<History aria-hidden />} onSelect={() => setTracing(true)}>
          {traceTexts('open')}
        </MenuItem>
      </Menu>
      {isTracing && <MessageTrace message={message} onClose={() => setTracing(false)} />}
      {isRemoving && <RemoveMessage message={message} onClose={() => setRemoving(false)} />}
    </div>
  );
}

interface ItemsProps extends MessageMenuProps {
  readonly onRemove: () => void;
}

/** Nothing is offered that no platform would follow. */
function Items({ message, name, onEdit, onRemove }: ItemsProps) {
  const { start } = useReplying();
  const react = useReact(message);
  const { data: links = [] } = useQuery(capabilitiesQuery(message.conversation_id));
  const abilities = abilitiesOf(message, links, Date.now());
  const isOurs = message.direction !== 'inbound';
  const emoji = abilities.react.isOffered ? EMOJI.filter(abilities.react.accepts) : [];
  const detail = ({ notOn }: Ability) =>
    notOn.length === 0 ? undefined : t('notOn', { platforms: notOn.join(', ') });
  return (
    <>
      {emoji.length > 0 && (
        <>
          <div className="flex gap-0.5">
            {emoji.map((each) => (
              <MenuItem key={each} onSelect={() => react(each, true)} label={t('react', { emoji: each })}>
                {each}
              </MenuItem>
            ))}
          </div>
          {abilities.react.notOn.length > 0 && (
            <p className="untrusted px-2 pb-1 text-muted text-xs">{detail(abilities.react)}</p>
          )}
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<Reply aria-hidden />} onSelect={() => start(message, name)}>
        {t('reply')}
      </MenuItem>
      {isOurs && !FINAL.includes(message.status) && abilities.edit.isOffered && (
        <MenuItem icon={<Pencil aria-hidden />} detail={detail(abilities.edit)} onSelect={onEdit}>
          {t('edit')}
        </MenuItem>
      )}
      {isOurs && abilities.remove.isOffered && (
        <MenuItem
          icon={<Trash2 aria-hidden />}
          isDanger
          detail={detail(abilities.remove)}
          onSelect={onRemove}
        >
          {t('remove')}
        </MenuItem>
      )}
    </>
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
