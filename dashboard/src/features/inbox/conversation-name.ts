import { useNames } from '../../api/people';
import { messages as t } from './messages';
import type { Conversation } from './views';

const MAX_NAMES = 3;

/** The title, the names of the customers, or the number. Empty while the names are being loaded. */
export function useConversationName({ title, participants, links, number }: Conversation): string {
  const customers = participants.filter(({ role, left_at }) => role === 'customer' && left_at === null);
  const names = useNames(customers.slice(0, MAX_NAMES).map(({ user_id }) => user_id));
  if (title !== null && title.trim() !== '') return title;
  if (names === undefined) return '';
  if (names.length > 0) return names.join(', ');
  const linked = links.find((link) => link.title !== null)?.title;
  return linked ?? t('number', { number });
}
