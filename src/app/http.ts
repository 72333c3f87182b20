import { hkdfSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { Supervisor } from '../connections/supervisor.js';
import { clock } from '../contract/clock.js';
import { hourlyRateLimiter } from '../core/access/rate-limit.js';
import { AgentSessions } from '../core/agents/sessions.js';
import type { Authenticate } from '../core/authentication/authenticate.js';
import {
  authenticateSession,
  refuseForeignOrigins,
  refuseOtherOrigins,
} from '../core/authentication/authenticate-session.js';
import { iceServers } from '../core/calls/ice-servers.js';
import { CallSeats } from '../core/calls/seats.js';
import { SendSignal } from '../core/calls/use-cases.js';
import { shuttingDown } from '../core/common/errors.js';
import { InstallationProof } from '../core/common/installation-proof.js';
import type { Log } from '../core/common/log.js';
import { EventStreams } from '../core/events/streams.js';
import { OpenMedia } from '../core/media/open-media.js';
import { type MediaKey, mediaKey } from '../core/media/token.js';
import * as ports from '../core/modules/tokens.js';
import { Proposals } from '../core/proposals/use-cases.js';
import { RequestLog } from '../core/request-log/request-log.js';
import type { Simulator } from '../core/simulators/ports.js';
import { mcpMount } from '../http/agents/mcp-mount.js';
import type { Inject } from '../http/agents/rest-api.js';
import { avatarsPlugin } from '../http/avatars.js';
import { callPagePlugin } from '../http/call-page/plugin.js';
import { dashboardPlugin } from '../http/dashboard/plugin.js';
import { Drain } from '../http/drain.js';
import { apiMount, dashboardMount, type Mount } from '../http/endpoint.js';
import { hooksPlugin } from '../http/hooks.js';
import { mediaPlugin } from '../http/media.js';
import { referencePagePlugin } from '../http/reference-page/plugin.js';
import type { Route } from '../http/route.js';
import { Signaling } from '../http/rtc/signaling.js';
import { buildServer } from '../http/server.js';
import { SessionCookie } from '../http/session-cookie.js';
import type { Guard } from '../outgoing/guard.js';
import type { JobQueue } from '../queue/job-queue.js';
import type { OutboxRelay } from '../queue/relay.js';
import type { Database } from '../store/connection/database.js';
import type { Notifications } from '../store/connection/notifications.js';
import { Housekeeping } from '../store/maintenance/housekeeping.js';
import { authorizationServer } from './access/authorization-server.js';
import { clientAuthentication } from './access/client-authentication.js';
import { awaitCredentialEviction } from './access/credential-eviction.js';
import { requestCounting } from './access/request-counting.js';
import type { Pause } from './pause.js';
import { dashboardPages, dashboardRoutes } from './routes/dashboard-routes.js';
import { readiness } from './routes/readiness.js';
import { routeTable } from './routes/route-table.js';
import { explainListenError } from './startup/listening-port.js';
import { version } from './version.js';

export interface ServeOptions {
  readonly config: Config;
  readonly log: Log;
  readonly container: Container;
  readonly database: Database;
  readonly notifications: Notifications;
  readonly masterKey: Buffer;
  readonly relay: OutboxRelay;
  readonly queue: JobQueue;
  readonly guard: Guard;
  readonly pause: Pause;
  /** Simulated platforms of this process. */
  readonly simulators: readonly Simulator[];
  /** Filled in once the server listens. */
  readonly address: { current: AddressInfo | undefined; url: string };
}

const DRAIN_MS = 10_000;

/** Opens the HTTP interface. */
export async function serve(options: ServeOptions): Promise<{ stop(): Promise<void> }> {
  const { config, log, container, database, address } = options;
  let leaving = false;
  let draining = false;
  const clients = await clientAuthentication(options);
  const streams = await followEvents(options);
  const signaling = await openSignaling(options);
  const counts = await requestCounting(options);
  const housekeeping = new Housekeeping(database.pool);
  const mediaLinks = mediaKey(derivedKey(options.masterKey, 'media links'));
  const routes = routesOf(options, housekeeping, signaling);
  const cookie = new SessionCookie(config.publicUrl ?? '');
  // Processes without the role `api` serve only health checks.
  const open = config.roles.includes('api');
  const server: ReturnType<typeof buildServer> = buildServer({
    mounts: open ? mountsOf(options, cookie, routes, clients, (it) => server.inject(it)) : [],
    rateLimit: hourlyRateLimiter(counts),
    idempotency: container.get(ports.IdempotencyStore),
    cursorSecret: derivedKey(options.masterKey, 'list cursors'),
    log,
    publicUrl: config.publicUrl ?? (config.port === 0 ? '' : `http://localhost:${config.port}`),
    trustProxy: config.trustProxy,
    health: async () => (leaving ? shuttingDown : readiness(() => pingOf(options), config.dataDir)),
    isDraining: () => draining,
    paused: () => options.pause.message,
    proof: new InstallationProof(options.masterKey),
    telemetry: container.get(ports.Telemetry),
    requestLog: container.get(RequestLog),
    plugins: open ? [...pluginsOf(options, cookie), mediaLinksPlugin(container, mediaLinks)] : [],
  });
  const drain = new Drain(server, () => leaving);
  wakeAfterChanges(server, [options.relay, streams]);
  awaitCredentialEviction(server, options.notifications);
  await listen(server, options);
  if (open || config.publicUrl !== undefined) await housekeeping.publish(address.url, mediaLinks);
  signaling.start();
  return {
    async stop() {
      if (!leaving) {
        leaving = true;
        await drain.giveNotice(config.drainNoticeMs);
      }
      draining = true;
      streams.stop();
      await signaling.stop();
      await drain.end(DRAIN_MS);
      await Promise.all([counts.stop(), clients.stop(), container.get(RequestLog).stop()]);
    },
  };
}

/** Rejects while the database does not answer, or refuses new connections. */
async function pingOf({ database }: ServeOptions): Promise<void> {
  await Promise.all([new Housekeeping(database.pool).ping(), database.checkNewConnections()]);
}

/** Listens at the configured address and fills in `address`. */
async function listen(
  server: ReturnType<typeof buildServer>,
  { config, address }: ServeOptions,
): Promise<void> {
  const { host, port, publicUrl } = config;
  await server.listen({ port, host }).catch((error: unknown) => {
    throw explainListenError(error, { host, port, variables: ['PORT', 'HOST'] });
  });
  address.current = server.server.address() as AddressInfo;
  address.url = publicUrl ?? `http://localhost:${address.current.port}`;
}

function routesOf(
  { config, container, address, pause, queue }: ServeOptions,
  housekeeping: Housekeeping,
  signaling: Signaling,
): Route[] {
  const rtc = { ice: config.ice, publicUrl: () => address.url, accept: signaling.accept.bind(signaling) };
  const pingRedis = config.redisUrl === undefined ? undefined : () => queue.ping();
  const status = { housekeeping, commit: config.commit, pingRedis, paused: () => pause.message };
  return routeTable(container, status, rtc);
}

function derivedKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32));
}

/** The mounts of the REST API, the dashboard and the agent interface. */
function mountsOf(
  options: ServeOptions,
  cookie: SessionCookie,
  routes: readonly Route[],
  { authenticate }: { readonly authenticate: Authenticate },
  inject: Inject,
): Mount[] {
  return [
    apiMount(routes, authenticate),
    dashboard(options, cookie, routes),
    agentMount(options, routes, authenticate, inject),
  ];
}

/** The same routes with a session instead of an API key, and the routes that only the dashboard has. */
function dashboard(
  { container, address, simulators }: ServeOptions,
  cookie: SessionCookie,
  routes: readonly Route[],
): Mount {
  return dashboardMount(
    [...routes, ...dashboardRoutes(container, cookie, simulators)],
    authenticateSession(container.get(ports.SessionReader), cookie.read),
    refuseForeignOrigins(() => address.url),
  );
}

/** The tools of agents, which read through the REST API. */
function agentMount(
  { container, address, log }: ServeOptions,
  routes: readonly Route[],
  authenticate: Authenticate,
  inject: Inject,
): Mount {
  const admit = refuseOtherOrigins(() => address.url);
  const streams = container.get(EventStreams);
  const proposals = container.get(Proposals);
  const sessions = container.get(AgentSessions);
  const now = () => clock.now();
  const tools = { routes, inject, streams, sessions, proposals, log, now };
  return mcpMount({ ...tools, authenticate, admit, version, publicUrl: () => address.url });
}

function mediaLinksPlugin(container: Container, key: MediaKey) {
  const media = container.get(OpenMedia);
  return mediaPlugin({ open: (token) => media.byToken(token, key, clock.now()) });
}

/** Wakes the relay and the streams after a write, so that committed changes do not wait for the next poll. */
function wakeAfterChanges(
  server: ReturnType<typeof buildServer>,
  sleepers: readonly { wake(): void }[],
): void {
  server.addHook('onResponse', (request, _reply, done) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!isReading) for (const each of sleepers) each.wake();
    done();
  });
}

/** Wakes the event streams when another process announces events, and after a reconnect. */
async function followEvents({ container, notifications }: ServeOptions): Promise<EventStreams> {
  const streams = container.get(EventStreams);
  await notifications.listen('events', () => streams.wake());
  notifications.onReconnect(() => streams.wake());
  return streams;
}

/** Plugins that are served in addition to the route objects. */
function pluginsOf({ container, config, log, address, pause }: ServeOptions, cookie: SessionCookie) {
  const supervisor = container.get(Supervisor);
  return [
    avatarsPlugin,
    referencePagePlugin,
    hooksPlugin({ find: (id, refused) => supervisor.hook(id, refused), log, paused: () => pause.message }),
    dashboardPages(container, cookie, config.publicUrl ?? ''),
    dashboardPlugin,
    authorizationServer(container, cookie, log),
    callPagePlugin({
      seats: container.get(CallSeats),
      publicUrl: () => address.url,
      iceServers: (userId) => iceServers(config.ice, userId, clock.now()),
    }),
  ];
}

/**
 * Must run after the key authenticator registered its listener, so that a recheck does not read evicted credentials from the
 * cache.
 */
async function openSignaling({ container, log, notifications }: ServeOptions): Promise<Signaling> {
  const signaling = new Signaling({
    sockets: container.get(ports.CallSockets),
    seats: container.get(CallSeats),
    signal: container.get(SendSignal),
    presence: container.get(ports.Presence),
    log,
  });
  await notifications.listen('call_signals', (id) => signaling.hear(id));
  await notifications.listen('credentials', (id) => void signaling.credentialsChanged(id));
  notifications.onReconnect(() => void signaling.catchUp());
  return signaling;
}
