import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from '../api/session';
import { readResource } from '../features/analytics/resource';
import { preloadMessages } from '../features/inbox/preload';
import { readSearch } from '../features/inbox/views';
import { ErrorState } from '../kit/feedback';
import { rememberPlace } from '../kit/visited';
import { Connecting } from './connecting';
import { NotFound } from './not-found';
import { Shell } from './shell';

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet });

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  loader: ({ context }) => context.queries.ensureQueryData(sessionQuery),
  component: Shell,
  pendingComponent: Connecting,
});

/** A screen at a fixed path. */
const screen = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => shell, path, component });

/** A path that redirects to the first screen of its area. */
const leadTo = <const Path extends string>(path: Path, to: string) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    beforeLoad: () => {
      throw redirect({ to });
    },
  });

const index = leadTo('/', '/inbox');
const developers = leadTo('/developers', '/developers/keys');
const settings = leadTo('/settings', '/settings/profile');

const inboxScreen = lazyRouteComponent(() => import('../features/inbox/inbox-screen'), 'InboxScreen');
const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/inbox',
  validateSearch: readSearch,
  component: inboxScreen,
});
const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$number',
  // The inbox shows the conversation next to the list.
  component: () => null,
  // Loads when the conversation is opened, and when the pointer rests on its row.
  loader: ({ context, params }) => preloadMessages(context.queries, Number(params.number)),
});

const home = screen(
  '/home',
  lazyRouteComponent(() => import('../features/home/home-screen'), 'HomeScreen'),
);

const firstRun = screen(
  '/welcome',
  lazyRouteComponent(() => import('../features/first-run/first-run-screen'), 'FirstRunScreen'),
);

const keys = screen(
  '/developers/keys',
  lazyRouteComponent(() => import('../features/developers/keys-screen'), 'KeysScreen'),
);

const oauthApps = screen(
  '/developers/apps',
  lazyRouteComponent(() => import('../features/developers/oauth-apps-screen'), 'OAuthAppsScreen'),
);

const requests = screen(
  '/developers/requests',
  lazyRouteComponent(() => import('../features/developers/requests-screen'), 'RequestsScreen'),
);

const contacts = screen(
  '/contacts',
  lazyRouteComponent(() => import('../features/contacts/contacts-screen'), 'ContactsScreen'),
);
const contact = screen(
  '/contacts/$id',
  lazyRouteComponent(() => import('../features/contacts/contact-screen'), 'ContactScreen'),
);

const contactImports = screen(
  '/contacts/imports',
  lazyRouteComponent(() => import('../features/contacts/imports/imports-screen'), 'ImportsScreen'),
);
const contactImport = screen(
  '/contacts/imports/$id',
  lazyRouteComponent(() => import('../features/contacts/imports/import-screen'), 'ImportScreen'),
);

const calls = screen(
  '/calls',
  lazyRouteComponent(() => import('../features/calls/calls-screen'), 'CallsScreen'),
);

const locations = screen(
  '/locations',
  lazyRouteComponent(() => import('../features/locations/locations-screen'), 'LocationsScreen'),
);

const broadcasts = screen(
  '/broadcasts',
  lazyRouteComponent(() => import('../features/broadcasts/broadcasts-screen'), 'BroadcastsScreen'),
);
const broadcast = screen(
  '/broadcasts/$id',
  lazyRouteComponent(() => import('../features/broadcasts/broadcast-screen'), 'BroadcastScreen'),
);

const segments = screen(
  '/broadcasts/segments',
  lazyRouteComponent(() => import('../features/broadcasts/segments/segments-screen'), 'SegmentsScreen'),
);
const templates = screen(
  '/broadcasts/templates',
  lazyRouteComponent(() => import('../features/broadcasts/templates/templates-screen'), 'TemplatesScreen'),
);
const newBroadcast = screen(
  '/broadcasts/new',
  lazyRouteComponent(() => import('../features/broadcasts/composer/compose-screens'), 'NewBroadcastScreen'),
);
const editBroadcast = screen(
  '/broadcasts/$id/edit',
  lazyRouteComponent(() => import('../features/broadcasts/composer/compose-screens'), 'EditBroadcastScreen'),
);

const analytics = leadTo('/analytics', '/analytics/messages');
const analyticsOf = createRoute({
  getParentRoute: () => shell,
  path: '/analytics/$resource',
  params: { parse: readResource, stringify: ({ resource }) => ({ resource }) },
  component: lazyRouteComponent(() => import('../features/analytics/analytics-screen'), 'AnalyticsScreen'),
});

const platforms = screen(
  '/platforms',
  lazyRouteComponent(() => import('../features/platforms/platforms-screen'), 'PlatformsScreen'),
);
const connect = screen(
  '/platforms/new/$platform',
  lazyRouteComponent(() => import('../features/platforms/connect-screen'), 'ConnectScreen'),
);
const connection = screen(
  '/platforms/$id',
  lazyRouteComponent(() => import('../features/platforms/connection-screen'), 'ConnectionScreen'),
);

const simulators = screen(
  '/simulators',
  lazyRouteComponent(() => import('../features/simulators/simulators-screen'), 'SimulatorsScreen'),
);

const webhooks = screen(
  '/developers/webhooks',
  lazyRouteComponent(() => import('../features/developers/webhooks-screen'), 'WebhooksScreen'),
);
const webhook = screen(
  '/developers/webhooks/$id',
  lazyRouteComponent(() => import('../features/developers/webhook-screen'), 'WebhookScreen'),
);

const events = screen(
  '/developers/events',
  lazyRouteComponent(() => import('../features/developers/events-screen'), 'EventsScreen'),
);

const reference = screen(
  '/developers/reference',
  lazyRouteComponent(() => import('../features/developers/reference/reference-screen'), 'ReferenceScreen'),
);

const profile = screen(
  '/settings/profile',
  lazyRouteComponent(() => import('../features/settings/profile-screen'), 'ProfileScreen'),
);
const signIn = screen(
  '/settings/sign-in',
  lazyRouteComponent(() => import('../features/settings/sign-in-screen'), 'SignInScreen'),
);
const notifications = screen(
  '/settings/notifications',
  lazyRouteComponent(() => import('../features/settings/notifications-screen'), 'NotificationsScreen'),
);
const members = screen(
  '/settings/members',
  lazyRouteComponent(() => import('../features/settings/members-screen'), 'MembersScreen'),
);
const teams = screen(
  '/settings/teams',
  lazyRouteComponent(() => import('../features/settings/teams-screen'), 'TeamsScreen'),
);
const workspace = screen(
  '/settings/workspace',
  lazyRouteComponent(() => import('../features/settings/workspace-screen'), 'WorkspaceScreen'),
);
const auditLog = screen(
  '/settings/audit-log',
  lazyRouteComponent(() => import('../features/settings/audit-screen'), 'AuditScreen'),
);

/** Shows all kit components on one page, for their developers. No menu links to it. */
const kit = screen(
  '/kit',
  lazyRouteComponent(() => import('../kit/gallery'), 'Gallery'),
);

const routeTree = root.addChildren([
  shell.addChildren([
    index,
    home,
    inbox.addChildren([conversation]),
    firstRun,
    contacts,
    contact,
    contactImports,
    contactImport,
    calls,
    locations,
    broadcasts,
    broadcast,
    segments,
    templates,
    newBroadcast,
    editBroadcast,
    analytics,
    analyticsOf,
    platforms,
    connect,
    connection,
    simulators,
    developers,
    keys,
    oauthApps,
    requests,
    webhooks,
    webhook,
    events,
    reference,
    settings,
    profile,
    signIn,
    notifications,
    members,
    teams,
    workspace,
    auditLog,
    kit,
  ]),
]);

export function makeRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
    defaultNotFoundComponent: NotFound,
  });
  router.subscribe('onResolved', ({ toLocation }) => rememberPlace(toLocation));
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
