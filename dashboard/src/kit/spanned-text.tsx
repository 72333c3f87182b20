import { Fragment, type ReactNode } from 'react';
import type { TextSpan } from '../api/rehearsals';
import { type Stretch, stretchesOf } from './spans';

interface SpannedTextProps {
  readonly text: string;
  readonly spans: readonly TextSpan[];
}

/** A formatted text as a phone shows it. Links do nothing, because this is only a picture of a phone. */
export function SpannedText({ text, spans }: SpannedTextProps) {
  return <Stretches all={stretchesOf(text, spans)} />;
}

function Stretches({ all }: { readonly all: readonly Stretch[] }) {
  return all.map((each, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: stretches of one text have no other name.
    <Fragment key={index}>{typeof each === 'string' ? each : <Formatted {...each} />}</Fragment>
  ));
}

function Formatted({ span, children }: Exclude<Stretch, string>): ReactNode {
  const inner = <Stretches all={children} />;
  switch (span.mark) {
    case 'bold':
    case 'heading':
      return <strong>{inner}</strong>;
    case 'italic':
      return <em>{inner}</em>;
    case 'underline':
      return <u>{inner}</u>;
    case 'strike':
      return <del>{inner}</del>;
    case 'code':
    case 'code_block':
      return <code className="rounded-sm bg-(--phone-line) px-0.5 font-mono text-[0.9em]">{inner}</code>;
    case 'quote':
      // Inline, because the text contains the line breaks. A block would add an empty line.
      return (
        <span className="inline-block w-full border-(--phone-link) border-l-2 pl-2 align-top">{inner}</span>
      );
    case 'link':
      return (
        <span title={span.value} className="text-(--phone-link) underline">
          {inner}
        </span>
      );
    case 'mention':
      return <span className="text-(--phone-link)">{inner}</span>;
    case 'spoiler':
      return <span className="rounded-sm bg-(--phone-line)">{inner}</span>;
    default:
      return inner;
  }
}
