import type { Schemas } from '../../api/client';
import { quoted } from '../../api/filter';

export type Conversation = Schemas['Conversation'];
type ConversationStatus = Conversation['status'];

/** `failures` contains the conversations with a failed or uncertain delivery. */
export const VIEWS = ['mine', 'unassigned', 'all', 'failures'] as const;
export type View = (typeof VIEWS)[number];

export const STATUSES = ['open', 'pending', 'snoozed', 'resolved', 'archived'] as const;

/** Defines which conversations a list shows. */
export interface Selection {
  readonly view: View;
  readonly status: ConversationStatus;
  readonly platform?: string;
  readonly label?: string;
  readonly assignee?: string;
  /** The name of a team. */
  readonly team?: string;
}

/** The search parameters of the URL. Missing ones have default values. */
export type InboxSearch = Partial<Selection> & {
  /** Search text for messages. */
  readonly q?: string;
  /** The id of the message at which the conversation opens, instead of the newest one. */
  readonly message?: string;
};

const DEFAULTS = { view: 'all', status: 'open' } as const;

/** Reads the search parameters and ignores invalid values. */
export function readSearch(raw: Readonly<Record<string, unknown>>): InboxSearch {
  const view = VIEWS.find((each) => each === raw.view);
  const status = STATUSES.find((each) => each === raw.status);
  const texts = (['platform', 'label', 'assignee', 'team', 'q', 'message'] as const).flatMap((name) => {
    const value = raw[name];
    const isText = (typeof value === 'string' || typeof value === 'number') && value !== '';
    return isText ? [[name, String(value)] as const] : [];
  });
  return { ...(view && { view }), ...(status && { status }), ...Object.fromEntries(texts) };
}

/** The search parameters after opening another conversation. */
export function withoutMessage({ message: _message, ...search }: InboxSearch): InboxSearch {
  return search;
}

export function selectionOf({ q: _q, message: _message, ...search }: InboxSearch): Selection {
  return { ...DEFAULTS, ...search };
}

/** Converts the selection to an API filter. */
export function filterOf(
  { view, status, platform, label, assignee, team }: Selection,
  userId: string,
): string[] {
  const byView = { mine: [`assignee_id:${userId}`], unassigned: ['assignee_id:null'], all: [], failures: [] };
  return [
    `status:${status}`,
    ...byView[view],
    ...(platform === undefined ? [] : [`platform:${quoted(platform)}`]),
    ...(label === undefined ? [] : [`label:${quoted(label)}`]),
    ...(assignee === undefined ? [] : [`assignee_id:${quoted(assignee)}`]),
    ...(team === undefined ? [] : [`team:${quoted(team)}`]),
  ];
}

/** Whether the filter matches a conversation. Used for conversations that change while the list is shown. */
export function matches(selection: Selection, conversation: Conversation, userId: string): boolean {
  const { view, status, platform, label, assignee, team } = selection;
  if (conversation.status !== status) return false;
  if (platform !== undefined && !conversation.platforms.includes(platform)) return false;
  if (label !== undefined && !conversation.labels.includes(label)) return false;
  if (assignee !== undefined && conversation.assignee_id !== assignee) return false;
  if (team !== undefined && conversation.team !== team) return false;
  if (view === 'mine') return conversation.assignee_id === userId;
  return view === 'all' || conversation.assignee_id === null;
}
