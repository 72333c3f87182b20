import { Link, Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { LiveUpdates } from '../api/live';
import { usePermissions, useSession } from '../api/session';
import { useHasSimulators } from '../api/simulators';
import { IncomingCalls } from '../features/calls/incoming-calls';
import { OutboxProvider } from '../features/inbox/sending';
import { useUnread } from '../features/inbox/unread';
import { MessageSounds } from '../features/notifications/message-sounds';
import { Pushes } from '../features/notifications/pushes';
import { WaitingContext } from '../kit/page-title';
import { AccountMenu } from './account-menu';
import { LIVE_PATCHES } from './live-patches';
import { messages as t } from './messages';
import { NAVIGATION } from './navigation';
import { StreamBanner } from './stream-banner';

/** The frame around every screen. The navigation is on the left, or at the bottom on phones. */
export function Shell() {
  return (
    <div className="flex h-dvh flex-col-reverse sm:flex-row">
      <LiveUpdates patches={LIVE_PATCHES} />
      <MessageSounds />
      <Pushes />
      <Sidebar />
      <div className="flex min-h-0 min-w-0 grow flex-col">
        <StreamBanner />
        <IncomingCalls />
        <main className="min-h-0 grow">
          <Waiting>
            {/* The outbox is active on every screen, so that messages written offline are sent from any of them. */}
            <OutboxProvider>
              <Outlet />
            </OutboxProvider>
          </Waiting>
        </main>
      </div>
    </div>
  );
}

const ICON = { some: '/dashboard/icon-unread.svg', none: '/dashboard/icon.svg' };

/** Shows the number of unread conversations in the tab title. */
function Waiting({ children }: { readonly children: ReactNode }) {
  const unread = useUnread();
  const icon = unread === '' ? ICON.none : ICON.some;
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', icon);
  }, [icon]);
  return <WaitingContext value={unread}>{children}</WaitingContext>;
}

function Sidebar() {
  const { workspace } = useSession();
  const { seesAll } = usePermissions();
  const offered = { simulators: useHasSimulators() === true, 'all conversations': seesAll };
  const items = NAVIGATION.filter(({ needs }) => needs === undefined || offered[needs]);
  return (
    <nav
      aria-label={t('navigation')}
      className="flex shrink-0 items-center gap-1 border-line bg-canvas p-1.5 max-sm:border-t sm:w-48 sm:flex-col sm:items-stretch sm:border-r sm:p-3"
    >
      <p className="mb-3 hidden items-center gap-2 px-1 font-semibold sm:flex">
        <img src="/dashboard/icon.svg" alt="" className="size-6" />
        <span className="untrusted truncate">{workspace.name}</span>
      </p>
      {items.map(({ to, title, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className="group flex items-center gap-2 rounded-md px-2 py-1.5 font-medium text-muted text-sm hover:bg-hover data-[status=active]:bg-selected data-[status=active]:text-accent-text max-sm:min-w-0 max-sm:grow max-sm:flex-col max-sm:gap-0.5 max-sm:px-0.5 max-sm:py-2 max-sm:text-xs"
        >
          <Icon aria-hidden className="size-5 sm:size-4" />
          {/* A phone has no space for all names in every language. */}
          <span className="max-sm:sr-only max-sm:group-data-[status=active]:not-sr-only">{title}</span>
        </Link>
      ))}
      <div className="sm:mt-auto">
        <AccountMenu />
      </div>
    </nav>
  );
}
