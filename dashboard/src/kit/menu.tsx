import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { popupLook } from './popup';

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
}

export function Menu({ trigger, children }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="z-50">
          <BaseMenu.Popup className={`${popupLook} min-w-44`}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  /** Label of an icon-only item, for assistive technology. */
  readonly label?: string;
  /** The keyboard shortcut of the same action. */
  readonly shortcut?: string;
  /** A short note that the user should read first. */
  readonly detail?: string | undefined;
  readonly children: ReactNode;
}

export function MenuItem(props: MenuItemProps) {
  const { icon, onSelect, isDanger = false, label, shortcut, detail, children } = props;
  return (
    <BaseMenu.Item
      onClick={onSelect}
      aria-label={label}
      className={`flex items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none touch:min-h-10 data-highlighted:bg-hover touch:min-w-10 [&_svg]:size-4 ${isDanger ? 'text-danger' : ''}`}
    >
      {icon}
      <span className="untrusted min-w-0 grow">
        {children}
        {detail !== undefined && <span className="block text-muted text-xs">{detail}</span>}
      </span>
      {shortcut !== undefined && (
        <kbd className="font-sans text-muted text-xs pointer-coarse:hidden">{shortcut}</kbd>
      )}
    </BaseMenu.Item>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="my-1 h-px bg-line" />;
}

/** Names the items below it. */
export function MenuTitle({ children }: { readonly children: ReactNode }) {
  return <p className="px-2 py-1 font-medium text-muted text-xs">{children}</p>;
}
