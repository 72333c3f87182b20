import type { PlatformProblem } from '../../contract/index.js';
import type { DeliveryStore } from './ports.js';
import type { DeliveryTask } from './task.js';

/** Applies the consequences of a refused write for later messages to the same chat or recipient. */
export async function followRefusal(
  store: DeliveryStore,
  problem: PlatformProblem,
  connectionId: string,
  link: DeliveryTask['link'],
): Promise<void> {
  if (problem.kind === 'moved') await store.moveChat(connectionId, link.external_id, problem);
  if (problem.kind !== 'rejected') return;
  const { reason } = problem;
  if (reason === 'recipient_gone') await store.markLinkBroken(link.id);
  else if (reason === 'blocked_by_recipient' || reason === 'opted_out') {
    await store.suppressRecipient(link.id, reason);
  }
}
