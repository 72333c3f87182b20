import { type ComponentFile, readComponents } from './components.js';
import type { DiscordEmbed, DiscordMessageContent } from './payloads.js';
import { plainBlock } from './text-blocks.js';

/** A file of a message outside its attachments, with the key that finds it again. */
export interface EmbeddedFile extends ComponentFile {
  readonly key: string;
}

const noWords = () => plainBlock('');

/**
 * Collects pictures and files of components and of the given embeds, except those that are also attachments. `place`
 * identifies the message or copy that contains them.
 */
export function embeddedFiles(
  said: DiscordMessageContent,
  place: number,
  embeds: readonly DiscordEmbed[] = said.embeds ?? [],
): readonly EmbeddedFile[] {
  const ids = new Set((said.attachments ?? []).map(({ id }) => id));
  const urls = new Set((said.attachments ?? []).flatMap(({ url }) => (url ? [plainUrl(url)] : [])));
  const isAttached = ({ attachmentId, url }: ComponentFile): boolean =>
    (attachmentId !== undefined && ids.has(attachmentId)) || urls.has(plainUrl(url));
  const inCard = readComponents(said.components, noWords).files.map((file, index) => ({
    ...file,
    key: `c${place}.${index}`,
  }));
  const inEmbeds = (said.embeds ?? []).flatMap((embed, index) =>
    embeds.includes(embed) ? picturesOf(embed, `e${place}.${index}`) : [],
  );
  return [...inCard, ...inEmbeds].filter((file) => isFetchable(file.url) && !isAttached(file));
}

/**
 * An embed shows a large picture, a small one, or both. The large picture is used if there is one. Embeds of types other
 * than `rich` are link previews.
 */
function picturesOf({ type, image, thumbnail }: DiscordEmbed, key: string): readonly EmbeddedFile[] {
  const shown = image ?? thumbnail;
  if ((type ?? 'rich') !== 'rich' || !shown) return [];
  return [{ url: shown.proxy_url || shown.url, isPicture: true, key }];
}

const isFetchable = (url: string): boolean => /^https?:\/\//i.test(url);

/** An address without its signature, which changes with every request. */
const plainUrl = (url: string): string =>
  (url.split(/[?#]/, 1)[0] ?? '').replace(
    /^https:\/\/media\.discordapp\.net\//,
    'https://cdn.discordapp.com/',
  );
