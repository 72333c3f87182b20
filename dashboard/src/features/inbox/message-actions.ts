import { useQuery } from '@tanstack/react-query';
import { usePermissions } from '../../api/session';
import { copyText } from '../../kit/copy';
import { showError, showToast } from '../../kit/toast';
import { type Ability, abilitiesOf, capabilitiesQuery } from './abilities';
import { useReact } from './message-changes';
import type { Message } from './message-pages';
import { useReplying } from './replying';
import { messages as keys } from './shortcut-messages';

/** The first emoji that Telegram, Discord and Slack offer. */
const EMOJI = ['👍', '❤️', '😂', '🎉', '🙏'];
/** States in which the service rejects a text change. */
const FINAL: readonly Message['status'][] = ['failed', 'expired', 'canceled', 'blocked'];

/** The view that an action opens: the inline editor or a dialog. */
export type Opened = 'editor' | 'removal' | 'trace';

interface Action {
  readonly run: () => void;
  /** Platforms that do not apply the action. */
  readonly notOn: readonly string[];
}

/** The actions for a message. An action that no platform supports is not offered. */
export interface MessageActions {
  readonly emoji: readonly string[];
  readonly react: { readonly run: (emoji: string) => void; readonly notOn: readonly string[] };
  readonly reply?: Action;
  readonly edit?: Action;
  readonly remove?: Action;
  readonly copy?: Action;
  readonly trace: Action;
}

export function useMessageActions(
  message: Message,
  name: string,
  open: (what: Opened) => void,
): MessageActions {
  const { canWrite } = usePermissions();
  const { start } = useReplying();
  const react = useReact(message);
  const { data: links = [] } = useQuery(capabilitiesQuery(message.conversation_id));
  const abilities = abilitiesOf(message, links, Date.now());
  const isOurs = message.direction !== 'inbound';
  const opening = (what: Opened, { notOn }: Pick<Ability, 'notOn'>): Action => ({
    run: () => open(what),
    notOn,
  });
  const isEditable = canWrite && isOurs && !FINAL.includes(message.status) && abilities.edit.isOffered;
  return {
    emoji: canWrite && abilities.react.isOffered ? EMOJI.filter(abilities.react.accepts) : [],
    react: { run: (emoji) => react(emoji, true), notOn: abilities.react.notOn },
    trace: opening('trace', { notOn: [] }),
    ...(message.text !== '' && { copy: { run: () => copy(message.text), notOn: [] } }),
    ...(canWrite && { reply: { run: () => start(message, name), notOn: [] } }),
    ...(isEditable && { edit: opening('editor', abilities.edit) }),
    ...(canWrite && isOurs && abilities.remove.isOffered && { remove: opening('removal', abilities.remove) }),
  };
}

function copy(text: string): void {
  copyText(text).then(() => showToast(keys('copied')), showError);
}
