import type { LucideIcon } from 'lucide-react';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { Button } from './button';
import { messages as t } from './messages';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  /** What the user can do about it. */
  readonly action?: ReactNode;
}

/** Replaces an empty list or screen. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="m-auto flex max-w-sm flex-col items-center gap-2 p-8 text-center">
      <Icon aria-hidden className="size-6 text-muted" />
      <h2 className="font-semibold">{title}</h2>
      {children !== undefined && <div className="text-muted text-sm">{children}</div>}
      {action}
    </div>
  );
}

/** Replaces a screen or pane that failed to load. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { title, advice } = explain(error);
  const retry = onRetry && <Button onClick={onRetry}>{t('retry')}</Button>;
  return (
    <div role="alert" className="flex h-full">
      <EmptyState icon={CloudOff} title={title} action={retry}>
        {advice}
      </EmptyState>
    </div>
  );
}

/** Placeholder for text that is loading. */
function Skeleton({ className = 'h-4 w-full' }: { readonly className?: string }) {
  return <div className={`animate-pulse rounded-sm bg-hover ${className}`} />;
}

/** Placeholder for a list that is loading. */
export function SkeletonList({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-3 p-3">
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((key) => (
        <Skeleton key={key} className="h-10 w-full" />
      ))}
    </div>
  );
}
