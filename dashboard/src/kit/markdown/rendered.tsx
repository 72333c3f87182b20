import type { Nodes, Root } from 'mdast';
import { Fragment, memo, type ReactNode } from 'react';
import { LinkedText, WebLink } from '../linked-text';
import { safeAddress } from './address';
import { treeOf } from './tree';

/** Renders a Markdown text as elements. HTML in the text is shown as text and never reaches the page as HTML. */
const Rendered = memo(function Rendered({ text }: { readonly text: string }) {
  const root = treeOf(text);
  if (root === undefined) return text;
  return new Renderer(root).all(root.children);
});

// The module is loaded with the first Markdown text.
export default Rendered;

class Renderer {
  readonly #addresses = new Map<string, string>();

  constructor(root: Root) {
    for (const node of root.children) {
      if (node.type === 'definition') this.#addresses.set(node.identifier, node.url);
    }
  }

  all(nodes: readonly Nodes[], isLink = false): ReactNode {
    return nodes.map((node) => (
      <Fragment key={node.position?.start.offset}>{this.#one(node, isLink)}</Fragment>
    ));
  }

  #one(node: Nodes, isLink: boolean): ReactNode {
    if ('children' in node) {
      const isInLink = isLink || node.type === 'link' || node.type === 'linkReference';
      return this.#parent(node, this.all(node.children, isInLink));
    }
    switch (node.type) {
      case 'text':
        return isLink ? node.value : <LinkedText text={node.value} />;
      case 'html':
        return node.value;
      case 'inlineCode':
        return <code className="rounded-sm bg-text/8 px-1 font-mono text-[0.9em]">{node.value}</code>;
      case 'code':
        return (
          <pre className="my-1 overflow-x-auto rounded-md bg-text/8 p-2 font-mono text-sm">{node.value}</pre>
        );
      case 'break':
        return '\n';
      case 'thematicBreak':
        return <hr className="my-2 border-line" />;
      case 'image':
        return <To address={node.url}>{node.alt || node.url}</To>;
      case 'imageReference':
        return <To address={this.#addresses.get(node.identifier)}>{node.alt}</To>;
      default:
        return null;
    }
  }

  #parent(node: Exclude<Nodes, { children?: never }>, children: ReactNode): ReactNode {
    switch (node.type) {
      case 'strong':
        return <strong>{children}</strong>;
      case 'emphasis':
        return <em>{children}</em>;
      case 'delete':
        return <del>{children}</del>;
      case 'link':
        return <To address={node.url}>{children}</To>;
      case 'linkReference':
        return <To address={this.#addresses.get(node.identifier)}>{children}</To>;
      case 'paragraph':
        return <p className="not-first:mt-2">{children}</p>;
      case 'heading':
        return <p className="font-semibold not-first:mt-2">{children}</p>;
      case 'blockquote':
        return <blockquote className="my-1 border-line-strong border-l-2 pl-2">{children}</blockquote>;
      case 'list':
        return this.#list(node.ordered ? (node.start ?? 1) : undefined, children);
      case 'listItem':
        return <li className="whitespace-pre-wrap">{children}</li>;
      default:
        return children;
    }
  }

  #list(start: number | undefined, children: ReactNode): ReactNode {
    const look = 'my-1 whitespace-normal pl-6';
    if (start === undefined) return <ul className={`${look} list-disc`}>{children}</ul>;
    return (
      <ol start={start} className={`${look} list-decimal`}>
        {children}
      </ol>
    );
  }
}

interface ToProps {
  readonly address: string | undefined;
  readonly children: ReactNode;
}

/** Other addresses, such as scripts, are shown as text. */
function To({ address = '', children }: ToProps) {
  const href = safeAddress(address);
  if (href === undefined) return children;
  return <WebLink href={href}>{children}</WebLink>;
}
