import { Link, Outlet, useLocation } from '@tanstack/react-router';
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
import { barLook, MoreAreas } from './more-areas';
import { NAVIGATION, type NavigationItem } from './navigation';
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
  // On a phone, an open conversation has the space of the bar. A link leads back to the list.
  const isChat = useLocation({ select: ({ pathname }) => pathname.startsWith('/inbox/') });
  const items = NAVIGATION.filter(({ needs }) => needs === undefined || offered[needs]);
  return (
    <nav
      aria-label={t('navigation')}
      className={`flex shrink-0 items-center gap-1 border-line bg-canvas p-1.5 max-sm:gap-0 max-sm:border-t max-sm:p-1 sm:w-48 sm:flex-col sm:items-stretch sm:border-r sm:p-3 ${isChat ? 'max-sm:hidden' : ''}`}
    >
      <p className="mb-3 hidden items-center gap-2 px-1 font-semibold sm:flex">
        <img src="/dashboard/icon.svg" alt="" className="size-6" />
        <span className="untrusted truncate">{workspace.name}</span>
      </p>
      {items.map((item) => (
        <AreaLink key={item.to} item={item} />
      ))}
      <MoreAreas items={items.filter(({ isInBar }) => isInBar !== true)} />
      <div className="sm:mt-auto">
        <AccountMenu />
      </div>
    </nav>
  );
}

function AreaLink({ item: { to, title, icon: Icon, isInBar } }: { readonly item: NavigationItem }) {
  return (
    <Link
      to={to}
      className={`flex items-center gap-2 rounded-md px-2 py-1.5 font-medium text-muted text-sm hover:bg-hover data-[status=active]:bg-selected data-[status=active]:text-accent-text ${isInBar ? barLook : 'max-sm:hidden'}`}
    >
      <Icon aria-hidden className="size-5 sm:size-4" />
      <span className="max-w-full truncate">{title}</span>
    </Link>
  );
}
