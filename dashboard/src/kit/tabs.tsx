import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly tabs: readonly { readonly value: Value; readonly title: string }[];
  /** The content of the selected tab. */
  readonly children: ReactNode;
}

export function Tabs<Value extends string>({ value, onChange, tabs, children }: TabsProps<Value>) {
  return (
    <BaseTabs.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <BaseTabs.List className="flex gap-4 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 py-2 font-medium shrink-0 touch:min-w-10 touch:px-1 touch:py-3 touch:text-center text-muted text-sm hover:text-text data-active:border-accent data-active:text-text"
          >
            {tab.title}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={value} className="pt-4 outline-none">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
