import { useQuery } from '@tanstack/react-query';
import { CornerUpLeft, X } from 'lucide-react';
import { useMemo } from 'react';
import { usePeople } from '../../api/people';
import { Button } from '../../kit/button';
import { usePlainText } from '../../kit/markdown/plain-text';
import { messages as t } from './action-messages';
import type { ReplyTarget } from './drafts/draft-keeper';
import { useDraftContent, useDraftKeeper } from './drafts/draft-provider';
import { type Message, messageQuery } from './message-pages';
import { messages as inbox } from './messages';

const EXCERPT = 140;
/** Longer than the shown excerpt, because Markdown marks count here. */
const STORED = 500;
const NOTHING = { text: '' };

interface Replying {
  readonly start: (message: Pick<Message, 'id' | 'text' | 'content_type'>, name: string) => void;
  readonly end: () => void;
}

/** The draft includes the message being replied to, so that a reload keeps it. */
export function useReplying(): Replying {
  const keeper = useDraftKeeper();
  return useMemo(
    () => ({
      start: ({ id, text, content_type: type }, name) => {
        const said = { excerpt: text.slice(0, STORED), ...(type === 'markdown' && { content_type: type }) };
        keeper.change({ reply: { id, name, ...said } });
        document.querySelector<HTMLElement>('[data-composer]')?.focus();
      },
      end: () => keeper.change({ reply: undefined }),
    }),
    [keeper],
  );
}

/** Shown above the composer: the message being replied to, with a button to cancel the reply. */
export function ReplyBar() {
  const { reply } = useDraftContent();
  return reply === undefined ? null : <Target target={reply} />;
}

function Target({ target }: { readonly target: ReplyTarget }) {
  const { end } = useReplying();
  const { name, excerpt } = useNamed(target);
  return (
    <div className="flex items-center gap-2 border-accent border-l-2 pl-2 text-sm">
      <CornerUpLeft aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 grow">
        <span className="untrusted block truncate font-medium">{t('replyingTo', { name })}</span>
        <span className="untrusted block truncate text-muted">{excerpt}</span>
      </p>
      <Button kind="quiet" size="icon" aria-label={t('cancelReply')} onClick={end}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

/** A reply started in another browser contains only the id. */
function useNamed({ id, name, excerpt, content_type }: ReplyTarget) {
  const { data } = useQuery({ ...messageQuery(id), enabled: name === undefined });
  const people = usePeople(data === undefined ? [] : [data.sender_id]);
  const sender = data && people.get(data.sender_id)?.display_name;
  return {
    name: name ?? sender ?? inbox('formerPerson'),
    excerpt: usePlainText(excerpt === undefined ? (data ?? NOTHING) : { text: excerpt, content_type }).slice(
      0,
      EXCERPT,
    ),
  };
}
