import { z } from 'zod';
import { plainBlock, type TextBlock } from './text-blocks.js';

/** A message has at most 40 components (https://docs.discord.com/developers/components/reference). */
const MAX_NODES = 200;
const MAX_DEPTH = 8;

const text = z.string().nullish().catch(undefined);
const mediaSchema = z.object({
  url: z.string(),
  proxy_url: text,
  content_type: text,
  attachment_id: text,
});
const nodeSchema = z.looseObject({
  type: z.number().catch(0),
  content: text,
  label: text,
  url: text,
  placeholder: text,
  name: text,
  size: z.number().nonnegative().nullish().catch(undefined),
  description: text,
  media: mediaSchema.nullish().catch(undefined),
  file: mediaSchema.nullish().catch(undefined),
  emoji: z.object({ id: text, name: text }).nullish().catch(undefined),
});
type Node = z.infer<typeof nodeSchema>;

/** https://docs.discord.com/developers/components/reference#component-object-component-types */
const type = { button: 2, textInput: 4 } as const;
const menus: ReadonlySet<number> = new Set([3, 5, 6, 7, 8]);
const documented: ReadonlySet<number> = new Set([
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23,
]);
/** Fields that contain the child components, in display order. */
const inside = ['components', 'component', 'items', 'accessory'] as const;
const wordy = ['title', 'label', 'content', 'text', 'description'] as const;

/** A picture or file of a component. */
export interface ComponentFile {
  readonly url: string;
  readonly contentType?: string;
  readonly attachmentId?: string;
  readonly name?: string;
  readonly sizeBytes?: number;
  readonly altText?: string;
  readonly isPicture: boolean;
}

/** The visible content of a message's components. */
export interface ComponentContent {
  readonly blocks: readonly TextBlock[];
  readonly files: readonly ComponentFile[];
  /** Labels of buttons and menus. They help only people who can use them. */
  readonly controls: readonly TextBlock[];
}

/** Reads the text of components as Discord markdown with `parse`. Never throws: unknown input is left out. */
export function readComponents(components: unknown, parse: (source: string) => TextBlock): ComponentContent {
  const card = { blocks: [] as TextBlock[], files: [] as ComponentFile[], controls: [] as TextBlock[] };
  const walk = (nodes: readonly unknown[], depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const each of nodes.slice(0, MAX_NODES)) {
      const { data } = nodeSchema.safeParse(each);
      if (data === undefined) continue;
      card.blocks.push(...wordsOf(data, parse));
      card.files.push(...filesOf(data));
      card.controls.push(...controlsOf(data));
      walk(childrenOf(data), depth + 1);
    }
  };
  walk(listOf(components), 0);
  return { ...card, files: card.files.slice(0, MAX_NODES) };
}

function wordsOf(node: Node, parse: (source: string) => TextBlock): readonly TextBlock[] {
  if (node.type === type.button) return node.url ? [linkOf(labelOf(node) || node.url, node.url)] : [];
  if (menus.has(node.type) || node.type === type.textInput) return [];
  if (documented.has(node.type)) return node.content ? [parse(node.content)] : [];
  // The description of a picture belongs to the picture.
  const fields = node.media || node.file ? wordy.filter((field) => field !== 'description') : wordy;
  return fields.flatMap((field) => {
    const value = node[field];
    return typeof value === 'string' && value !== '' ? [parse(value)] : [];
  });
}

function filesOf(node: Node): readonly ComponentFile[] {
  const media = node.media ?? node.file;
  if (!media) return [];
  return [
    {
      url: media.proxy_url || media.url,
      ...(media.content_type ? { contentType: media.content_type } : {}),
      ...(media.attachment_id ? { attachmentId: media.attachment_id } : {}),
      ...nameOf(node.name, media.url),
      ...(typeof node.size === 'number' ? { sizeBytes: node.size } : {}),
      ...(node.description ? { altText: node.description } : {}),
      isPicture: !node.file,
    },
  ];
}

function nameOf(name: string | null | undefined, url: string): { readonly name?: string } {
  const known = name || nameIn(url);
  return known === '' ? {} : { name: known };
}

/** The file name at the end of an address. */
function nameIn(url: string): string {
  const last = /\/([^/?#]{1,200}\.\w{1,8})(?:[?#]|$)/.exec(url)?.[1] ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function controlsOf(node: Node): readonly TextBlock[] {
  if (node.type === type.button && !node.url) return shown(labelOf(node));
  return menus.has(node.type) ? shown(node.placeholder ?? '') : [];
}

const shown = (words: string): readonly TextBlock[] => (words === '' ? [] : [plainBlock(words)]);

function labelOf({ emoji, label }: Node): string {
  const sign = emoji?.id ? undefined : emoji?.name;
  return [sign, label].filter(Boolean).join(' ');
}

function linkOf(label: string, url: string): TextBlock {
  if (!/^https?:\/\//i.test(url)) return plainBlock(label);
  return { text: label, spans: [{ mark: 'link', start: 0, end: label.length, value: url }] };
}

/** In an unknown component any field may hold a child component. */
function childrenOf(node: Node): readonly unknown[] {
  if (menus.has(node.type)) return [];
  const held = documented.has(node.type)
    ? inside.map((field) => node[field])
    : Object.values(node).filter(isHolder);
  return held.flatMap(listOf);
}

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null && !isMedia(value);
const isMedia = (value: unknown): boolean => mediaSchema.safeParse(value).success;

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
