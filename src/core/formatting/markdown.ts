import type { Nodes, Root } from 'mdast';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { type Content, type Mark, plainContent, type Span } from '../../contract/index.js';
import { markdownTree } from './markdown-tree.js';
import { rememberingTexts } from './parsed-texts.js';

/** Parses CommonMark (with ~~strike~~) into neutral content: plain text and its spans. Equal texts are parsed once. */
export const contentFromMarkdown = rememberingTexts(parse);

function parse(source: string): Content {
  const root = markdownTree(source, {
    extensions: [gfmStrikethrough()],
    mdastExtensions: [gfmStrikethroughFromMarkdown()],
  });
  if (root === undefined) return plainContent(source);
  const writer = new Writer(source, root);
  writer.blocks(root.children, '\n\n');
  return { text: writer.text, spans: writer.spans, attachments: [] };
}

const inlineMarks: Readonly<Partial<Record<Nodes['type'], Mark>>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strike',
};

/** URLs contain no blanks, but Markdown allows blanks in URLs between angle brackets. */
const addressOf = (url: string): string => url.replaceAll(/\s/gu, encodeURIComponent);

/** The URLs of `[text][name]` and `![text][name]`, and the names that are used. */
class References {
  readonly used = new Set<string>();
  readonly #urls = new Map<string, string>();

  constructor(root: Nodes) {
    this.#collect(root);
  }

  urlOf(identifier: string): string {
    return addressOf(this.#urls.get(identifier) ?? '');
  }

  #collect(node: Nodes): void {
    if (node.type === 'definition' && !this.#urls.has(node.identifier)) {
      this.#urls.set(node.identifier, node.url);
    }
    if (node.type === 'linkReference' || node.type === 'imageReference') this.used.add(node.identifier);
    if ('children' in node) for (const child of node.children) this.#collect(child);
  }
}

class Writer {
  text = '';
  readonly spans: Span[] = [];
  readonly #references: References;
  /** Number of lists around the current position. */
  #lists = 0;

  constructor(
    private readonly source: string,
    root: Root,
  ) {
    this.#references = new References(root);
  }

  blocks(all: readonly Nodes[], separator: string): void {
    const nodes = all.filter(
      (node) => node.type !== 'definition' || !this.#references.used.has(node.identifier),
    );
    nodes.forEach((node, index) => {
      if (index > 0) this.text += separator;
      this.node(node);
    });
  }

  private node(node: Nodes): void {
    const mark = inlineMarks[node.type];
    if (mark !== undefined && 'children' in node) return this.marked(mark, () => this.inline(node.children));
    switch (node.type) {
      case 'text':
      case 'html':
        this.text += node.value;
        return;
      case 'inlineCode':
        return this.marked('code', () => this.append(node.value));
      case 'code':
        return this.marked('code_block', () => this.append(node.value), node.lang ?? undefined);
      case 'break':
        return this.append('\n');
      case 'thematicBreak':
        return this.append('———');
      case 'link':
        return this.marked('link', () => this.inline(node.children), addressOf(node.url));
      case 'image':
        return this.marked('link', () => this.append(node.alt || node.url), addressOf(node.url));
      case 'linkReference':
        return this.marked('link', () => this.inline(node.children), this.#references.urlOf(node.identifier));
      case 'imageReference': {
        const url = this.#references.urlOf(node.identifier);
        return this.marked('link', () => this.append(node.alt || url), url);
      }
      case 'definition':
        // No reference uses this definition, so it stays as text.
        return this.append(this.source.slice(node.position?.start.offset, node.position?.end.offset));
      case 'heading':
        return this.marked('heading', () => this.inline(node.children), String(node.depth));
      case 'blockquote':
        return this.marked('quote', () => this.blocks(node.children, '\n\n'));
      case 'list':
        return this.list(node.children, node.ordered ? (node.start ?? 1) : undefined);
      default:
        if ('children' in node) this.inline(node.children);
    }
  }

  /** A nested list is part of its list, indented by two spaces. */
  private list(items: readonly Nodes[], first: number | undefined): void {
    const indent = '  '.repeat(this.#lists);
    const write = () =>
      items.forEach((item, index) => {
        if (index > 0) this.text += '\n';
        this.text += `${indent}${first === undefined ? '•' : `${first + index}.`} `;
        if ('children' in item) this.blocks(item.children, '\n');
      });
    this.#lists += 1;
    if (indent === '') this.marked('list', write);
    else write();
    this.#lists -= 1;
  }

  private inline(nodes: readonly Nodes[]): void {
    for (const node of nodes) this.node(node);
  }

  private append(value: string): void {
    this.text += value;
  }

  private marked(mark: Mark, write: () => void, value?: string): void {
    const start = this.text.length;
    write();
    if (this.text.length > start) {
      this.spans.push({ mark, start, end: this.text.length, ...(value === undefined ? {} : { value }) });
    }
  }
}
