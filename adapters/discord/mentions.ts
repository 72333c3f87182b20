import { z } from 'zod';

/** A mention in a text as it is looked up: `#` and the id of a channel, or `@&` and that of a role. */
export type MentionKey = `${'#' | '@&'}${string}`;

const MENTION = /<(#|@&)(\d{1,20})>/g;
/** More of them in one message keep their ids. */
const MOST = 30;
const LONGEST_NAME = 100;

const said = z.object({
  content: z.string().catch(''),
  message_snapshots: z
    .array(z.object({ message: z.object({ content: z.string().catch('') }) }))
    .nullish()
    .catch(undefined),
});

/** The channels and roles that a message mentions: Discord gives their ids alone. */
export function mentionsIn(message: unknown): readonly MentionKey[] {
  const { data } = said.safeParse(message);
  if (data === undefined) return [];
  const texts = [data.content, ...(data.message_snapshots ?? []).map((copy) => copy.message.content)];
  const found = texts.flatMap((text) => [...text.matchAll(MENTION)]);
  return [...new Set(found.map(([, sign, id]) => `${sign}${id}` as MentionKey))].slice(0, MOST);
}

/** What of the names is known, as a fact that is stored with the message. */
export function namedFact(
  keys: readonly MentionKey[],
  nameOf: (key: MentionKey) => string | undefined,
): { readonly mentions?: string } {
  const known = keys.flatMap((key) => {
    const name = nameOf(key);
    return name === undefined ? [] : [[key, name.slice(0, LONGEST_NAME)]];
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
