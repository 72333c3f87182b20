import type { Nodes } from 'mdast';
import { treeOf } from './tree';

const BLOCKS: ReadonlySet<Nodes['type']> = new Set(['root', 'blockquote', 'list', 'listItem']);

/** Converts a Markdown text to one line without marks. A text that is too expensive to parse is returned unchanged. */
export function plainOf(source: string): string {
  const root = treeOf(source);
  return root === undefined ? source : textOf(root).replaceAll(/\s+/g, ' ').trim();
}

function textOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'html':
    case 'inlineCode':
    case 'code':
      return node.value;
    case 'break':
      return ' ';
    case 'image':
      return node.alt || node.url;
    case 'imageReference':
      return node.alt ?? '';
    default:
      return 'children' in node ? node.children.map(textOf).join(BLOCKS.has(node.type) ? ' ' : '') : '';
  }
}
