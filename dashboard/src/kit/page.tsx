import type { ReactNode } from 'react';
import { useKeptScroll } from './kept-scroll';
import { PageTitle } from './page-title';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** A link to the screen above, before the title. */
  readonly back?: ReactNode;
  /** Buttons for the whole page. The primary button is last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen with one column: header and content. */
export function Page({ title, description, back, actions, children }: PageProps) {
  const place = useKeptScroll();
  return (
    <div ref={place} className="h-full overflow-y-auto">
      <PageTitle title={title} />
      <div className="mx-auto flex max-w-5xl flex-col gap-5 px-4 py-6 sm:px-8">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            {back !== undefined && <div className="mb-1 text-muted text-sm">{back}</div>}
            <h1 className="untrusted font-semibold text-xl">{title}</h1>
            {description !== undefined && <p className="mt-0.5 max-w-2xl text-muted">{description}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

interface CardProps {
  readonly title?: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** A group of related content on a page. */
export function Card({ title, description, children }: CardProps) {
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      {title !== undefined && (
        <div>
          <h2 className="font-semibold">{title}</h2>
          {description !== undefined && <p className="text-muted text-sm">{description}</p>}
        </div>
      )}
      {children}
    </section>
  );
}
