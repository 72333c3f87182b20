import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from '../api/session';
import { readResource } from '../features/analytics/resource';
import { readSearch } from '../features/inbox/views';
import { ErrorState } from '../kit/feedback';
import { NotFound } from './not-found';
import { Shell } from './shell';

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet });

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  loader: ({ context }) => context.queries.ensureQueryData(sessionQuery),
  component: Shell,
});

/** An address that leads to the first screen of its area. */
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
  // The inbox shows it next to the list.
  component: () => null,
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/home',
  component: lazyRouteComponent(() => import('../features/home/home-screen'), 'HomeScreen'),
});

const firstRun = createRoute({
  getParentRoute: () => shell,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../features/first-run/first-run-screen'), 'FirstRunScreen'),
});

const keysScreen = lazyRouteComponent(() => import('../features/developers/keys-screen'), 'KeysScreen');
const keys = createRoute({ getParentRoute: () => shell, path: '/developers/keys', component: keysScreen });

const oauthApps = createRoute({
  getParentRoute: () => shell,
  path: '/developers/apps',
  component: lazyRouteComponent(() => import('../features/developers/oauth-apps-screen'), 'OAuthAppsScreen'),
});

const requests = createRoute({
  getParentRoute: () => shell,
  path: '/developers/requests',
  component: lazyRouteComponent(() => import('../features/developers/requests-screen'), 'RequestsScreen'),
});

const contacts = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  component: lazyRouteComponent(() => import('../features/contacts/contacts-screen'), 'ContactsScreen'),
});
const contact = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  component: lazyRouteComponent(() => import('../features/contacts/contact-screen'), 'ContactScreen'),
});

const contactImports = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/imports',
  component: lazyRouteComponent(() => import('../features/contacts/imports/imports-screen'), 'ImportsScreen'),
});
const contactImport = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/imports/$id',
  component: lazyRouteComponent(() => import('../features/contacts/imports/import-screen'), 'ImportScreen'),
});

const calls = createRoute({
  getParentRoute: () => shell,
  path: '/calls',
  component: lazyRouteComponent(() => import('../features/calls/calls-screen'), 'CallsScreen'),
});

const broadcasts = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts',
  component: lazyRouteComponent(() => import('../features/broadcasts/broadcasts-screen'), 'BroadcastsScreen'),
});
const broadcast = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/$id',
  component: lazyRouteComponent(() => import('../features/broadcasts/broadcast-screen'), 'BroadcastScreen'),
});

const segments = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/segments',
  component: lazyRouteComponent(
    () => import('../features/broadcasts/segments/segments-screen'),
    'SegmentsScreen',
  ),
});
const templates = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/templates',
  component: lazyRouteComponent(
    () => import('../features/broadcasts/templates/templates-screen'),
    'TemplatesScreen',
  ),
});
const newBroadcast = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/new',
  component: lazyRouteComponent(
    () => import('../features/broadcasts/composer/compose-screens'),
    'NewBroadcastScreen',
  ),
});
const editBroadcast = createRoute({
  getParentRoute: () => shell,
  path: '/broadcasts/$id/edit',
  component: lazyRouteComponent(
    () => import('../features/broadcasts/composer/compose-screens'),
    'EditBroadcastScreen',
  ),
});

const analytics = leadTo('/analytics', '/analytics/messages');
const analyticsOf = createRoute({
  getParentRoute: () => shell,
  path: '/analytics/$resource',
  params: { parse: readResource, stringify: ({ resource }) => ({ resource }) },
  component: lazyRouteComponent(() => import('../features/analytics/analytics-screen'), 'AnalyticsScreen'),
});

const platforms = createRoute({
  getParentRoute: () => shell,
  path: '/platforms',
  component: lazyRouteComponent(() => import('../features/platforms/platforms-screen'), 'PlatformsScreen'),
});
const connect = createRoute({
  getParentRoute: () => shell,
  path: '/platforms/new/$platform',
  component: lazyRouteComponent(() => import('../features/platforms/connect-screen'), 'ConnectScreen'),
});
const connection = createRoute({
  getParentRoute: () => shell,
  path: '/platforms/$id',
  component: lazyRouteComponent(() => import('../features/platforms/connection-screen'), 'ConnectionScreen'),
});

const simulators = createRoute({
  getParentRoute: () => shell,
  path: '/simulators',
  component: lazyRouteComponent(() => import('../features/simulators/simulators-screen'), 'SimulatorsScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/developers/webhooks',
  component: lazyRouteComponent(() => import('../features/developers/webhooks-screen'), 'WebhooksScreen'),
});
const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/developers/webhooks/$id',
  component: lazyRouteComponent(() => import('../features/developers/webhook-screen'), 'WebhookScreen'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/developers/events',
  component: lazyRouteComponent(() => import('../features/developers/events-screen'), 'EventsScreen'),
});

const referenceScreen = lazyRouteComponent(
  () => import('../features/developers/reference/reference-screen'),
  'ReferenceScreen',
);
const reference = createRoute({
  getParentRoute: () => shell,
  path: '/developers/reference',
  component: referenceScreen,
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/settings/profile',
  component: lazyRouteComponent(() => import('../features/settings/profile-screen'), 'ProfileScreen'),
});
const signIn = createRoute({
  getParentRoute: () => shell,
  path: '/settings/sign-in',
  component: lazyRouteComponent(() => import('../features/settings/sign-in-screen'), 'SignInScreen'),
});
const members = createRoute({
  getParentRoute: () => shell,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('../features/settings/members-screen'), 'MembersScreen'),
});
const workspace = createRoute({
  getParentRoute: () => shell,
  path: '/settings/workspace',
  component: lazyRouteComponent(() => import('../features/settings/workspace-screen'), 'WorkspaceScreen'),
});
const auditLog = createRoute({
  getParentRoute: () => shell,
  path: '/settings/audit-log',
  component: lazyRouteComponent(() => import('../features/settings/audit-screen'), 'AuditScreen'),
});

/** All components of the kit on one page, for those who develop them. It is in no menu. */
const kit = createRoute({
  getParentRoute: () => shell,
  path: '/kit',
  component: lazyRouteComponent(() => import('../kit/gallery'), 'Gallery'),
});

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
    members,
    workspace,
    auditLog,
    kit,
  ]),
]);

export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
    defaultNotFoundComponent: NotFound,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
