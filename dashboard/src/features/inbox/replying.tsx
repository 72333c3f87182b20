import { CornerUpLeft, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { Button } from '../../kit/button';
import { messages as t } from './action-messages';
import { useDraft } from './drafts';

const EXCERPT = 140;

/** The message that is being answered, with what the composer shows of it. */
interface ReplyTarget {
  readonly id: string;
  readonly name: string;
  readonly excerpt: string;
}

interface Replying {
  readonly target: ReplyTarget | undefined;
  readonly start: (message: { readonly id: string; readonly text: string }, name: string) => void;
  readonly end: () => void;
}

const ReplyContext = createContext<Replying | undefined>(undefined);

interface ReplyProviderProps {
  readonly conversationId: string;
  readonly children: ReactNode;
}

/** Which message of the conversation is answered next. It is kept with the draft, so that a reload does not change who is answered. */
export function ReplyProvider({ conversationId, children }: ReplyProviderProps) {
  const [stored, store] = useDraft('reply.', conversationId);
  const replying = useMemo<Replying>(
    () => ({
      target: stored === '' ? undefined : (JSON.parse(stored) as ReplyTarget),
      start: ({ id, text }, name) => {
        store(JSON.stringify({ id, name, excerpt: text.slice(0, EXCERPT) }));
        document.querySelector<HTMLElement>('[data-composer]')?.focus();
      },
      end: () => store(''),
    }),
    [stored, store],
  );
  return <ReplyContext value={replying}>{children}</ReplyContext>;
}

export function useReplying(): Replying {
  const replying = useContext(ReplyContext);
  if (replying === undefined) throw new Error('There is no ReplyProvider.');
  return replying;
}

/** Above the composer: what is answered, and the way out. */
export function ReplyBar() {
  const { target, end } = useReplying();
  if (target === undefined) return null;
  return (
    <div className="flex items-center gap-2 border-accent border-l-2 pl-2 text-sm">
      <CornerUpLeft aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 grow">
        <span className="untrusted block truncate font-medium">{t('replyingTo', { name: target.name })}</span>
        <span className="untrusted block truncate text-muted">{target.excerpt}</span>
      </p>
      <Button kind="quiet" size="icon" aria-label={t('cancelReply')} onClick={end}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
