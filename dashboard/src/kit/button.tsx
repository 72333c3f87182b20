import { Button as BaseButton } from '@base-ui/react/button';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

const look = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors disabled:opacity-50 data-disabled:opacity-50',
  {
    variants: {
      kind: {
        primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
        secondary: 'border-line bg-surface text-text hover:bg-hover',
        quiet: 'border-transparent bg-transparent text-muted hover:bg-hover hover:text-text',
        danger: 'border-line bg-surface text-danger hover:bg-danger-soft',
        /** Confirms what `danger` asks. */
        destructive: 'border-transparent bg-danger-fill text-on-accent hover:bg-danger-fill/85',
      },
      size: {
        md: 'h-8 px-3 text-sm touch:h-10',
        sm: 'h-7 px-2 text-sm touch:h-10',
        icon: 'size-8 p-0 touch:size-10',
      },
    },
    defaultVariants: { kind: 'secondary', size: 'md' },
  },
);

type ButtonProps = ComponentProps<typeof BaseButton> & VariantProps<typeof look>;

export function Button({ kind, size, className, ...rest }: ButtonProps) {
  return (
    <BaseButton type="button" {...rest} className={look({ kind, size, className: className as string })} />
  );
}

/** The button style for links. */
export const buttonLook = look;
