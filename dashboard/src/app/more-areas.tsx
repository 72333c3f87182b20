import { useLocation, useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Menu, MenuItem } from '../kit/menu';
import { messages as t } from './messages';
import type { NavigationItem } from './navigation';

/** An entry of the bar at the bottom of phones. */
export const barLook =
  'max-sm:min-h-12 max-sm:min-w-0 max-sm:grow max-sm:basis-0 max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:px-0 max-sm:py-1 max-sm:text-[0.6875rem]';

/** The areas for which the bar of a phone has no space. */
export function MoreAreas({ items }: { readonly items: readonly NavigationItem[] }) {
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isHere = items.some(({ to }) => path.startsWith(to));
  const trigger = (
    <button
      type="button"
      className={`flex items-center rounded-md font-medium text-muted hover:bg-hover sm:hidden ${barLook} ${isHere ? 'bg-selected text-accent-text' : ''}`}
    >
      <Ellipsis aria-hidden className="size-5" />
      <span className="max-w-full truncate">{t('more')}</span>
    </button>
  );
  return (
    <Menu trigger={trigger}>
      {items.map(({ to, title, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon aria-hidden />} onSelect={() => void navigate({ to })}>
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}
