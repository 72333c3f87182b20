import { usePermissions, useSession } from '../../api/session';
import { messages as t } from './action-messages';
import { useReact } from './message-changes';
import type { Message } from './message-pages';
import { messages as inbox } from './messages';

/** Each emoji with its count. A click removes the user's own reaction, or adds one. */
export function Reactions({ message }: { readonly message: Message }) {
  const { user } = useSession();
  const { canWrite } = usePermissions();
  const react = useReact(message);
  if (message.reactions.length === 0) return null;
  return (
    <ul aria-label={inbox('reactions')} className="flex flex-wrap gap-1">
      {message.reactions.map(({ emoji, count, user_ids }) => {
        const isOwn = user_ids.includes(user.id);
        const look = isOwn ? 'border-accent bg-info-soft' : 'border-line bg-surface hover:bg-hover';
        return (
          <li key={emoji}>
            <button
              type="button"
              aria-pressed={isOwn}
              aria-label={t('reacted', { emoji, count })}
              disabled={!canWrite}
              onClick={() => react(emoji, !isOwn)}
              className={`untrusted rounded-full border px-2 py-0.5 text-sm touch:min-h-10 touch:min-w-12 ${look}`}
            >
              {emoji} {count}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
