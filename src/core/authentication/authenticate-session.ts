import { timingSafeEqual } from 'node:crypto';
import { hashCredential } from '../access/api-key-format.js';
import { type Caller, restrictedTo } from '../access/caller.js';
import { scopesOfRole } from '../access/roles.js';
import type { SessionIdentity } from '../access/session-identity.js';
import { AppError, accessDenied } from '../common/errors.js';
import type { SessionReader } from '../sessions/ports.js';
import type { Authenticate, Credentials } from './authenticate.js';

const CSRF_HEADER = 'x-csrf-token';
const READING = new Set(['GET', 'HEAD']);

/** Authenticates the dashboard: the cookie carries the session, and every changing request needs its CSRF token in a header. */
export function authenticateSession(
  sessions: SessionReader,
  readCookie: (header: string | undefined) => string | undefined,
): Authenticate {
  return async ({ header, method }) => {
    const token = readCookie(header('cookie'));
    const session = token === undefined ? undefined : await sessions.find(token);
    if (session === undefined) return undefined;
    if (!READING.has(method) && !isEqual(header(CSRF_HEADER), session.csrfToken)) {
      throw accessDenied(['X-CSRF-Token'], [], 'header');
    }
    return callerOf(session);
  };
}

/** Throws `access_denied` for a request from a page of another origin. */
export function refuseForeignOrigins(publicUrl: () => string): (credentials: Credentials) => void {
  return ({ header }) => {
    const origin = header('origin');
    if (origin === undefined || origin === originOf(publicUrl())) return;
    const host = header('host');
    if (host !== undefined && (origin === `https://${host}` || origin === `http://${host}`)) return;
    throw foreignOrigin(publicUrl(), origin);
  };
}

/**
 * Like {@link refuseForeignOrigins}, but a page may not call the host it was loaded from. With DNS rebinding, an
 * attacker's host name resolves to this server, so the origin and the host are the same. Clients that are not browsers
 * send no origin.
 */
export function refuseOtherOrigins(publicUrl: () => string): (credentials: Credentials) => void {
  return ({ header }) => {
    const origin = header('origin');
    if (origin !== undefined && origin !== originOf(publicUrl())) throw foreignOrigin(publicUrl(), origin);
  };
}

function foreignOrigin(publicUrl: string, origin: string): AppError {
  return new AppError('access_denied', 'Requests of other origins are not answered.', {
    required: [originOf(publicUrl)],
    provided: [origin],
  });
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

function callerOf(session: SessionIdentity): Caller {
  return {
    workspaceId: session.workspaceId,
    userId: session.userId,
    environment: 'live',
    credential: { kind: 'session', id: session.sessionId },
    scopes: scopesOfRole(session.role),
    rateLimit: 0,
    onlyOwnConversations: false,
    ...restrictedTo(session.userId, session.view),
    session,
  };
}

/** Compares hashes, because they have the same length for any input. */
function isEqual(sent: string | undefined, wanted: string): boolean {
  return sent !== undefined && timingSafeEqual(hashCredential(sent), hashCredential(wanted));
}
