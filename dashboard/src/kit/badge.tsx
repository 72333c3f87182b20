import { cva, type VariantProps } from 'class-variance-authority';
import { CircleAlert, CircleCheck, CircleDashed, CircleX, Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const look = cva('inline-flex max-w-full items-center', {
  variants: {
    size: {
      sm: 'gap-1 rounded-full px-2 py-0.5 font-medium text-xs',
      lg: '!bg-transparent gap-1.5 font-semibold text-lg',
    },
    tone: {
      neutral: 'bg-hover text-muted',
      info: 'bg-info-soft text-accent-text',
      success: 'bg-success-soft text-success',
      warning: 'bg-warning-soft text-warning',
      danger: 'bg-danger-soft text-danger',
    },
  },
  defaultVariants: { size: 'sm' },
});

export type Tone = NonNullable<VariantProps<typeof look>['tone']>;

const ICONS: Readonly<Record<Tone, LucideIcon>> = {
  neutral: CircleDashed,
  info: Info,
  success: CircleCheck,
  warning: CircleAlert,
  danger: CircleX,
};

interface StatusProps {
  readonly tone: Tone;
  /** Replaces the icon of the tone. */
  readonly icon?: LucideIcon;
  /** Large where the state is the main content. */
  readonly size?: 'sm' | 'lg';
  readonly children: ReactNode;
}

/** Shows a state by icon and text, never by colour alone. */
export function Status({ tone, icon, size = 'sm', children }: StatusProps) {
  const Icon = icon ?? ICONS[tone];
  return (
    <span className={look({ tone, size })}>
      <Icon aria-hidden className={size === 'lg' ? 'size-5 shrink-0' : 'size-3.5 shrink-0'} />
      <span className={size === 'lg' ? 'min-w-0' : 'truncate'}>{children}</span>
    </span>
  );
}

/** A word that is not a state: a label, a platform, a number. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className={look({ tone })}>
      <span className="untrusted truncate">{children}</span>
    </span>
  );
}
