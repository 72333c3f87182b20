import { Popover as BasePopover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { popupLook } from './popup';

interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly title: string;
  readonly children: ReactNode;
}

/** Details of what the page shows in short, next to their button. */
export function Popover({ trigger, title, children }: PopoverProps) {
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={4} collisionPadding={8} align="start" className="z-50">
          <BasePopover.Popup
            // Contents that scroll have to be reachable by keyboard.
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
