import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** Content next to the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, action, children }: SectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold text-sm">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}
