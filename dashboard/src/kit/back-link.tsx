import { Link, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { isBefore } from './visited';

interface BackLinkProps {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** Leads to the screen above. Pages show it before their title. */
export function BackLink({ to, params = {}, children }: BackLinkProps) {
  const router = useRouter();
  const { pathname } = router.buildLocation({ to, params } as never);
  // The screen above keeps its filters and its place if the user came from there.
  const goBack = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || !isBefore(router.state.location, pathname)) return;
    event.preventDefault();
    router.history.back();
  };
  return (
    <Link
      to={to}
      params={params}
      onClick={goBack}
      className="inline-flex items-center gap-1 hover:underline touch:min-h-10"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  );
}
