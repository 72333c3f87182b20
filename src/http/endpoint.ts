import type { Authenticate, Credentials } from '../core/authentication/authenticate.js';
import { schemaName } from '../core/schema/shape.js';
import type { Route } from './route.js';
import { RouteValidation } from './validation.js';

/** A set of routes under some prefixes, with one method of authentication. */
export interface Mount {
  /** Each route is served under each prefix. */
  readonly prefixes: readonly string[];
  /** The paths of this mount. An unknown path results in 404 only after authentication. */
  readonly covers: RegExp;
  readonly authenticate: Authenticate;
  /** Runs before all other checks. Throws to refuse the request. */
  readonly admit?: (credentials: Credentials) => void;
  readonly routes: readonly Route[];
  /** Parameters of the `Bearer` challenge in the response to a request without valid credentials. */
  readonly challenge?: () => string;
}

/** The REST API: under `/v1`, under `/v2` and without a version segment. */
export function apiMount(routes: readonly Route[], authenticate: Authenticate): Mount {
  return {
    prefixes: ['', '/v1', '/v2'],
    covers: /^(?:\/v\d+)?\/(?:openapi|api)(?:\/|$)/,
    authenticate,
    routes,
  };
}

/** The same routes for the dashboard, with a session instead of an API key. */
export function dashboardMount(
  routes: readonly Route[],
  authenticate: Authenticate,
  admit: (credentials: Credentials) => void = () => undefined,
): Mount {
  return { prefixes: ['/dashboard/api'], covers: /^\/dashboard\/api(?:\/|$)/, authenticate, admit, routes };
}

/** A route with its prepared validation and the exact paths that it serves. */
export class Endpoint {
  readonly validation: RouteValidation;
  readonly recordType: string | undefined;

  constructor(
    readonly mount: Mount,
    readonly route: Route,
    private readonly paths: RegExp,
    validation: RouteValidation,
  ) {
    this.validation = validation;
    this.recordType = schemaName(route.response);
  }

  /** Whether the path is written exactly as in the route. The router is more lenient with percent-encoding. */
  answers(path: string): boolean {
    return this.paths.test(path);
  }
}

/** All endpoints of a mount with the URL patterns of the router. */
export function endpointsOf(mount: Mount): { url: string; methods: string[]; endpoint: Endpoint }[] {
  return mount.routes.flatMap((route) => {
    const validation = new RouteValidation(route);
    return mount.prefixes.map((prefix) => {
      const path = prefix + route.path;
      return {
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        methods: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
        endpoint: new Endpoint(mount, route, exactly(path), validation),
      };
    });
  });
}

const PARAMETER = '(?!(?:\\.|%2[eE]){1,2}(?:/|$))(?:(?!%2[fF])[^/])+';

/** A parameter is one segment. It is no dot segment and contains no slash. */
function exactly(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  // regexp: the pattern is made of a route's path, in which slashes delimit the parameters.
  return new RegExp(`^${literal.replace(/\{\w+\}/g, PARAMETER)}$`);
}
