import { MoreHorizontal, Pencil, Pointer, Reply, Trash2 } from 'lucide-react';
import type { PhoneMessage } from '../../api/simulator-paths';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu';
import { messages as t } from './messages';
import { type Intent, usePerson } from './person';

const EMOJI = ['👍', '❤️', '🎉', '🙏'];

interface Props {
  readonly message: PhoneMessage;
  readonly isMine: boolean;
  readonly onIntend: (intent: Intent) => void;
}

/** The person's actions for a message, as far as the platform supports them. */
export function PhoneMessageMenu({ message, isMine, onIntend }: Props) {
  const { can, act } = usePerson();
  const canReact = can('react');
  const canPress = can('press') && message.own && message.buttons.length === 0;
  const canEdit = isMine && can('edit') && message.text !== '';
  const canDelete = isMine && can('delete');
  const canAny = canReact || canPress || canEdit || canDelete || can('reply');
  if (message.deleted || !canAny) return null;
  const on = { message_id: message.id };
  const react = (emoji: string) =>
    act({ type: 'react', ...on, emoji, change: message.reactions.includes(emoji) ? 'removed' : 'added' });
  return (
    <Menu trigger={<Trigger name={message.sender} />}>
      {canReact && (
        <div className="flex gap-0.5">
          {EMOJI.map((emoji) => (
            <MenuItem key={emoji} onSelect={() => react(emoji)} label={t('react', { emoji })}>
              {emoji}
            </MenuItem>
          ))}
        </div>
      )}
      {canReact && <MenuSeparator />}
      {can('reply') && (
        <MenuItem icon={<Reply aria-hidden />} onSelect={() => onIntend({ kind: 'reply', message })}>
          {t('reply')}
        </MenuItem>
      )}
      {canEdit && (
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onIntend({ kind: 'edit', message })}>
          {t('edit')}
        </MenuItem>
      )}
      {canPress && (
        <MenuItem
          icon={<Pointer aria-hidden />}
          onSelect={() => act({ type: 'press', ...on, label: t('yes') })}
        >
          {t('press', { label: t('yes') })}
        </MenuItem>
      )}
      {canDelete && (
        <MenuItem icon={<Trash2 aria-hidden />} isDanger onSelect={() => act({ type: 'delete', ...on })}>
          {t('delete')}
        </MenuItem>
      )}
    </Menu>
  );
}

function Trigger({ name, ...rest }: { readonly name: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={t('actions', { name })}
      className="flex size-6 touch:size-10 shrink-0 items-center justify-center rounded-full bg-(--phone-field) touch:bg-transparent text-(--phone-muted) opacity-0 focus-visible:opacity-100 group-hover:opacity-100 data-popup-open:opacity-100 pointer-coarse:opacity-100"
    >
      <MoreHorizontal aria-hidden className="size-4" />
    </button>
  );
}
