import type { ReactNode } from 'react';
import { linksIn } from './links';

interface WebLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link of another person's text. The tooltip shows where it leads. */
export function WebLink({ href, children }: WebLinkProps) {
  return (
    <a
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-text underline"
    >
      {children}
    </a>
  );
}

/** A text whose web addresses are links. */
export function LinkedText({ text }: { readonly text: string }) {
  return linksIn(text).map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name.
      <WebLink key={index} href={part.href}>
        {part.text}
      </WebLink>
    ),
  );
}
