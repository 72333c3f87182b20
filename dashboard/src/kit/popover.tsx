import { Popover as BasePopover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { popupLook } from './popup';

interface PopoverProps {
  /** The button that opens the popover. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows details of a summary, next to the button that opens them. */
export function Popover({ trigger, title, children }: PopoverProps) {
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={4} collisionPadding={8} align="start" className="z-50">
          <BasePopover.Popup
            // Scrollable content must be reachable by keyboard.
            tabIndex={0}
            className={`${popupLook} w-96 max-w-[calc(100vw-16px)] p-3`}
          >
            <BasePopover.Title className="mb-2 font-semibold text-sm">{title}</BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
