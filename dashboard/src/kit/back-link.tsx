import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

interface BackLinkProps {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** Leads to the screen above. Pages show it before their title. */
export function BackLink({ to, params = {}, children }: BackLinkProps) {
  return (
    <Link to={to} params={params} className="inline-flex items-center gap-1 hover:underline touch:min-h-10">
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  );
}
