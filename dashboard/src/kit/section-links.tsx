import { Link } from '@tanstack/react-router';

interface Section {
  readonly to: string;
  readonly title: string;
  /** Set if other sections have paths below this path. */
  readonly isExact?: boolean;
}

interface SectionLinksProps {
  /** Label of the group of sections, for assistive technology. */
  readonly label: string;
  readonly sections: readonly Section[];
}

/** On a phone the links scroll, so the open section may be out of view. */
const showActive = (nav: HTMLElement | null) =>
  nav?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Links to the screens of one area, styled as tabs. Each screen has its own path. */
export function SectionLinks({ label, sections }: SectionLinksProps) {
  return (
    <nav ref={showActive} aria-label={label} className="flex gap-4 overflow-x-auto border-line border-b">
      {sections.map(({ to, title, isExact = false }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: isExact }}
          className="-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 py-2 font-medium shrink-0 touch:min-w-10 touch:px-1 touch:py-3 touch:text-center text-muted text-sm hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
