import type { Schemas } from '../../api/client';

export type Conversation = Schemas['Conversation'];
type ConversationStatus = Conversation['status'];

export const VIEWS = ['mine', 'unassigned', 'all'] as const;
type View = (typeof VIEWS)[number];

export const STATUSES = ['open', 'pending', 'snoozed', 'resolved', 'archived'] as const;

/** Which conversations a list shows. */
export interface Selection {
  readonly view: View;
  readonly status: ConversationStatus;
}

/** The same as a filter of the interface. */
export function filterOf({ view, status }: Selection, userId: string): string[] {
  const byAssignee = { mine: [`assignee_id:${userId}`], unassigned: ['assignee_id:null'], all: [] }[view];
  return [`status:${status}`, ...byAssignee];
}

/** Whether the filter would find a conversation, for those that change while the list is shown. */
export function matches({ view, status }: Selection, conversation: Conversation, userId: string): boolean {
  if (conversation.status !== status) return false;
  if (view === 'mine') return conversation.assignee_id === userId;
  return view === 'all' || conversation.assignee_id === null;
}
