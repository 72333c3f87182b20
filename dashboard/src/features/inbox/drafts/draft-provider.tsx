import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { api, must } from '../../../api/client';
import { randomId } from '../../../api/random-id';
import { useSession } from '../../../api/session';
import { type DraftContent, DraftKeeper, type DraftService, type StoredDraft } from './draft-keeper';

const DEVICE = 'device';

const DraftContext = createContext<DraftKeeper | undefined>(undefined);

interface DraftProviderProps {
  readonly conversationId: string;
  readonly children: ReactNode;
}

/**
 * The draft of the member in a conversation. It survives reloads and sessions, and is available in all browsers of the member.
 */
export function DraftProvider({ conversationId, children }: DraftProviderProps) {
  const { user } = useSession();
  const keeper = useMemo(
    () => new DraftKeeper(serviceOf(conversationId), storageOf(`draft.${user.id}.${conversationId}`)),
    [conversationId, user.id],
  );
  useEffect(() => {
    const moved = () => void (document.visibilityState === 'visible' ? keeper.load() : keeper.save());
    moved();
    const targets = [
      [window, 'focus'],
      [window, 'online'],
      [document, 'visibilitychange'],
    ] as const;
    for (const [target, event] of targets) target.addEventListener(event, moved);
    return () => {
      for (const [target, event] of targets) target.removeEventListener(event, moved);
      void keeper.save();
    };
  }, [keeper]);
  return <DraftContext value={keeper}>{children}</DraftContext>;
}

export function useDraftKeeper(): DraftKeeper {
  const keeper = useContext(DraftContext);
  if (keeper === undefined) throw new Error('There is no DraftProvider.');
  return keeper;
}

export function useDraftContent(): DraftContent {
  const keeper = useDraftKeeper();
  return useSyncExternalStore(keeper.watch, () => keeper.content);
}

/** The draft of another browser, if this browser has a different text. */
export function useOtherDraft(): StoredDraft | undefined {
  const keeper = useDraftKeeper();
  return useSyncExternalStore(keeper.watch, () => keeper.other);
}

function serviceOf(id: string): DraftService {
  const params = { path: { id } };
  return {
    load: async () => (await must(api.GET('/conversations/{id}/draft', { params }))).draft,
    save: ({ text, isNote, reply }, base) => {
      const body = { text, is_note: isNote, reply_to_id: reply?.id ?? null, device: deviceId(), base };
      // A page that is closing still saves the last changes.
      const keepalive = document.visibilityState === 'hidden';
      return must(api.PUT('/conversations/{id}/draft', { params, body, keepalive }));
    },
  };
}

const storageOf = (key: string) => ({
  read: () => localStorage.getItem(key),
  write: (text: string | null) => {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  },
});

/** The id of this browser. */
function deviceId(): string {
  const known = localStorage.getItem(DEVICE);
  if (known !== null) return known;
  const made = randomId();
  localStorage.setItem(DEVICE, made);
  return made;
}
