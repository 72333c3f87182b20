import type { Nodes, RootContent } from 'mdast';
import { markdownTree } from '../formatting/markdown-tree.js';
import { rememberingTexts } from '../formatting/parsed-texts.js';

export interface TextBlock {
  readonly type: 'paragraph' | 'heading' | 'quote' | 'code' | 'list_item';
  readonly text: string;
}

/** The blocks of a message text. A plain text has one paragraph per non-empty line. */
export function textBlocks(text: string, format: string): readonly TextBlock[] {
  return format === 'markdown' ? markdownBlocks(text) : paragraphs(text);
}

const markdownBlocks = rememberingTexts(
  (text): readonly TextBlock[] => markdownTree(text)?.children.flatMap(blocksOf) ?? paragraphs(text),
);

function paragraphs(text: string): TextBlock[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '')
    .map((line) => ({ type: 'paragraph', text: line }));
}

function blocksOf(node: RootContent): TextBlock[] {
  switch (node.type) {
    case 'list':
      return node.children.map((item) => ({ type: 'list_item', text: textOf(item) }));
    case 'heading':
    case 'code':
      return [{ type: node.type, text: textOf(node) }];
    case 'blockquote':
      return [{ type: 'quote', text: textOf(node) }];
    case 'thematicBreak':
    case 'definition':
      return [];
    default:
      return [{ type: 'paragraph', text: textOf(node) }];
  }
}

const CONTAINERS = new Set(['blockquote', 'list', 'listItem']);

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return node.alt ?? '';
  if (!('children' in node)) return '';
  return node.children.map(textOf).join(CONTAINERS.has(node.type) ? '\n' : '');
}
