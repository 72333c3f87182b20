import { Field as BaseField } from '@base-ui/react/field';
import { Input as BaseInput } from '@base-ui/react/input';
import type { ComponentProps, ReactNode } from 'react';

/** Browsers of phones zoom in on a field whose text is smaller than 16 px. */
export const inputLook =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-text placeholder:text-muted disabled:opacity-60 data-invalid:border-danger touch:text-[1rem]';

interface FieldProps {
  readonly label: string;
  /** One sentence about what to enter. */
  readonly help?: ReactNode;
  /** The problem with the entered value. */
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** A label, one control of the kit, its help text and its error, linked for assistive technology. */
export function Field({ label, help, error, children }: FieldProps) {
  return (
    <BaseField.Root invalid={error !== undefined} className="flex flex-col gap-1">
      <BaseField.Label className="font-medium text-sm text-text">{label}</BaseField.Label>
      {children}
      {help !== undefined && (
        <BaseField.Description className="text-muted text-sm">{help}</BaseField.Description>
      )}
      {error !== undefined && (
        <BaseField.Error match className="text-danger text-sm">
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

export function Input({ className = '', ...rest }: ComponentProps<typeof BaseInput>) {
  return <BaseInput {...rest} className={`${inputLook} h-8 touch:h-10 ${className as string}`} />;
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <BaseField.Control render={<textarea {...rest} className={`${inputLook} py-1.5 ${className}`} />} />;
}
