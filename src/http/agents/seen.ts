import type { Seen } from '../../core/agents/ports.js';

type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Seen = { conversation_ids: [], widely: false };
/** Events that contain nothing about people and their messages. */
const IMPERSONAL = /^(?:platform|webhook)\./;

/**
 * The data that a result shows in addition to what the agent wrote. A tool that is not listed here counts as showing
 * everything.
 */
export function seenIn(tool: string, result: unknown): Seen {
  const fields = asFields(result);
  switch (tool) {
    case 'platform_health':
    case 'draft_message':
    case 'send_message':
    case 'call_link':
      return NOTHING;
    case 'search_conversations':
      return seen([...idsOf(fields.conversations, 'id'), ...idsOf(fields.messages, 'conversation_id')]);
    case 'read_conversation':
      return seen([asFields(fields.conversation).id]);
    case 'trace_delivery':
      return seen([fields.conversation_id]);
    case 'dead_letters':
      return seen(idsOf(fields.deliveries, 'conversation_id'));
    case 'find_contacts':
      return { conversation_ids: [], widely: listOf(fields.contacts).length > 0 };
    case 'plan_broadcast':
      return { conversation_ids: [], widely: true };
    case 'simulate_customer':
      return seen([fields.conversation_id]);
    case 'wait_for_events':
      return seen(listOf(fields.events).flatMap(idsOfEvent));
    default:
      return { conversation_ids: [], widely: true };
  }
}

/** Conversations that a result shows. An id that is not a string stands for a record whose conversation is unknown. */
function seen(ids: readonly unknown[]): Seen {
  const known = ids.filter((id): id is string => typeof id === 'string');
  return { conversation_ids: [...new Set(known)], widely: known.length < ids.length };
}

function idsOfEvent(value: unknown): unknown[] {
  const { event, data } = asFields(value);
  const name = String(event);
  if (IMPERSONAL.test(name)) return [];
  const { id, conversation_id: conversation } = asFields(data);
  return [conversation ?? (name.startsWith('conversation.') ? id : undefined)];
}

const idsOf = (list: unknown, field: string): unknown[] => listOf(list).map((item) => asFields(item)[field]);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
