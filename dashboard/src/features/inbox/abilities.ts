import { queryOptions } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';
import type { Message } from './message-pages';

export type LinkCapabilities = Schemas['ConversationCapabilities']['links'][number];

/** The capabilities of each linked platform. They change with the links and connections of the conversation. */
export const capabilitiesQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['capabilities', conversationId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: conversationId } };
      return (await must(api.GET('/openapi/conversations/{id}/capabilities', { params, signal }))).links;
    },
    staleTime: 60_000,
  });

/** Whether a change of a message has an effect, and the platforms that do not apply it. */
export interface Ability {
  readonly isOffered: boolean;
  readonly notOn: readonly string[];
}

export interface Abilities {
  readonly edit: Ability;
  readonly remove: Ability;
  readonly react: Ability & { readonly accepts: (emoji: string) => boolean };
}

/** Delivery states in which the message is on the platform, or may be. */
const THERE: readonly string[] = ['sent', 'delivered', 'read', 'uncertain'];
const NONE: readonly Schemas['CapabilityLevel'][] = ['dropped', 'rejected'];

/** The changes that the platforms of a message's copies support. A message without copies can be changed freely. */
export function abilitiesOf(message: Message, links: readonly LinkCapabilities[], now: number): Abilities {
  const ids = new Set(
    message.deliveries.filter(({ status }) => THERE.includes(status)).map(({ link_id }) => link_id),
  );
  if (message.origin !== null) ids.add(message.origin.link_id);
  const copies = links.filter(({ link_id }) => ids.has(link_id));
  const ageS = (now - Date.parse(message.created_at)) / 1000;
  const isYoung = (limit: { max_age_s: number | null } | null) =>
    limit !== null && (limit.max_age_s === null || ageS <= limit.max_age_s);
  const accepts = (emoji: string) =>
    copies.length === 0 || copies.some((copy) => canReact(copy) && allows(copy, emoji));
  return {
    edit: ability(copies, ({ capabilities: { ops, edit } }) => !NONE.includes(ops.edit) && isYoung(edit)),
    remove: ability(
      copies,
      ({ capabilities: { ops, delete: remove } }) => !NONE.includes(ops.delete) && isYoung(remove),
    ),
    react: { ...ability(copies, canReact), accepts },
  };
}

function ability(copies: readonly LinkCapabilities[], can: (copy: LinkCapabilities) => boolean): Ability {
  const without = copies.filter((copy) => !can(copy));
  const notOn = [...new Set(without.map(({ platform }) => platform))];
  return { isOffered: copies.length === 0 || without.length < copies.length, notOn };
}

const canReact = ({ capabilities: { ops, react } }: LinkCapabilities): boolean =>
  !NONE.includes(ops.react) && react !== null;

/** Platforms differ in the variation selector of emoji, so it is ignored. */
const allows = ({ capabilities: { react } }: LinkCapabilities, emoji: string): boolean => {
  const bare = (text: string) => text.replaceAll('\uFE0F', '');
  return !react?.allowed || react.allowed.some((each) => bare(each) === bare(emoji));
};
