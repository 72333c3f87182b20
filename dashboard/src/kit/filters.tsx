import type { ReactNode } from 'react';

/** The filters of a list. On a phone two choices share a row, and a text takes a whole one. */
export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <search className="grid grid-cols-2 items-end gap-2 max-sm:*:min-w-0 max-sm:*:max-w-none sm:flex sm:flex-wrap [&>[type=search]]:col-span-2">
      {children}
    </search>
  );
}
