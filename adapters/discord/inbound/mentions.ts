import { z } from 'zod';

/** A mention in a text as it is looked up: `#` and the id of a channel, or `@&` and that of a role. */
export type MentionKey = `${'#' | '@&'}${string}`;

const MENTION = /<(#|@&)(\d{1,20})>/g;
/** More of them in one message keep their ids. */
const MOST = 30;
const MAX_NAME_LENGTH = 100;

/** The fields of a message, or of a forwarded copy in it, that may hold mentions. */
const spoken = {
  content: z.unknown().optional(),
  embeds: z.unknown().optional(),
  components: z.unknown().optional(),
  poll: z.unknown().optional(),
};
const said = z.object({
  ...spoken,
  message_snapshots: z
    .array(z.object({ message: z.object(spoken) }))
    .nullish()
    .catch(undefined),
  message_reference: z
    .object({ type: z.number(), channel_id: z.string().regex(/^\d{1,20}$/) })
    .nullish()
    .catch(undefined),
});
const FORWARD = 1;

/**
 * The channels and roles that a message mentions: Discord gives their ids alone. A forward also names the channel that it
 * comes from.
 */
export function mentionsIn(message: unknown): readonly MentionKey[] {
  const { data } = said.safeParse(message);
  if (data === undefined) return [];
  const { message_reference: source, ...words } = data;
  const origin: MentionKey[] = source?.type === FORWARD ? [`#${source.channel_id}`] : [];
  const found = [...JSON.stringify(words).matchAll(MENTION)];
  const mentioned = found.map(([, sign, id]) => `${sign}${id}` as MentionKey);
  return [...new Set([...origin, ...mentioned])].slice(0, MOST);
}

/** What of the names is known, as a fact that is stored with the message. */
export function namedFact(
  keys: readonly MentionKey[],
  nameOf: (key: MentionKey) => string | undefined,
): { readonly mentions?: string } {
  const known = keys.flatMap((key) => {
    const name = nameOf(key);
    return name === undefined ? [] : [[key, name.slice(0, MAX_NAME_LENGTH)]];
  });
  return known.length === 0 ? {} : { mentions: JSON.stringify(Object.fromEntries(known)) };
}

const names = z.record(z.string(), z.string());

/** The names that were stored with a message. */
export function namesIn({ mentions }: Readonly<Record<string, string>>): readonly [string, string][] {
  if (mentions === undefined) return [];
  try {
    return Object.entries(names.parse(JSON.parse(mentions)));
  } catch {
    return [];
  }
}
