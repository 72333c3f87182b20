import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Expansions, OAuthRule, ScopeRule } from '../core/access/authorize.js';
import type { Caller } from '../core/access/caller.js';
import type { Authenticate } from '../core/authentication/authenticate.js';
import type { Claim } from '../core/common/idempotency.js';
import type { ListPage, ListQuery, ListSpec } from '../core/listing/list-spec.js';
import type { ApiVersion } from '../core/versions/api-version.js';
import type { StreamedFile, StreamedUpload } from './multipart-stream.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The context of a handler, for a request that has passed every check. */
export interface Context<Params = unknown, Query = unknown, Body = unknown> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The fields of a form that was sent instead of a JSON body, parsed by `upload.fields`. */
  readonly form: unknown;
  /** The file of an upload, which is written to disk while it arrives. It is removed after the response unless it was kept. */
  readonly file: StreamedFile | undefined;
  readonly version: ApiVersion;
  readonly requestId: string;
  /** Id for a new record. If this request was tried before, it is the id of the first try. */
  readonly resourceId: string;
  /** Set when the request has an idempotency key. The store completes it together with its own writes. */
  readonly claim: Claim | undefined;
  /** The names in `expand` (2.0 only). */
  readonly expand: ReadonlySet<string>;
  /** The path of the request as sent, without the query. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** The address of the client, as the service sees it. */
  readonly address: string;
  /**
   * Whether the credentials of the request and their scopes are still valid. Long operations such as streams and sockets call
   * it.
   */
  readonly isStillValid: () => Promise<boolean>;
}

/** A success with a status other than that of the route. */
export interface OtherSuccess {
  readonly status: 200 | 201 | 202 | 204;
  readonly record: object | undefined;
  /** Additional headers, such as a cookie. A replayed response does not contain them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * From here on, the handler writes the response itself, as for an event stream. Headers that are already set are kept. For
 * HEAD, only the headers are sent, and `giveUp` is called instead of `start`.
 */
export class TakeOver {
  constructor(
    readonly start: (response: ServerResponse) => void,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly giveUp: () => void = () => undefined,
  ) {}
}

export type HandlerResult = object | OtherSuccess | TakeOver | undefined;

/** A file that is sent as a part of a form. It is written to disk while it arrives. */
interface Upload {
  readonly streamed: StreamedUpload;
  /**
   * The fields of a form that may be sent instead of a JSON body. If absent, the route accepts only forms, and `body` describes
   * their fields.
   */
  readonly fields?: z.ZodType;
}

interface Description {
  readonly method: Method;
  /** The path from the base address, with `{name}` for parameters: `/openapi/messages/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly scopes: ScopeRule | ((caller: Caller) => ScopeRule);
  readonly oauth: OAuthRule;
  /**
   * Checks the caller in addition to the scopes. The check may use the path and the body, both as sent. It throws
   * `access_denied`. It must not throw if the record does not exist or the body can't be parsed.
   */
  readonly admits?: (
    caller: Caller,
    path: Readonly<Record<string, string>>,
    sent: () => Promise<Readonly<Record<string, unknown>>>,
  ) => void | Promise<void>;
  /** Shows or changes data of conversations of all teams. Members who see only their own conversations are refused. */
  readonly wholeWorkspace?: boolean;
  /** Requires no credentials. The caller is `anonymous`. */
  readonly open?: boolean;
  /** Part of the dashboard only. The route does not support Idempotency-Key. */
  readonly dashboard?: boolean;
  /** May end keys or tokens. The response waits until this process refuses them. */
  readonly endsCredentials?: boolean;
  /** Authenticates by a credential that only this operation accepts. Without one, the credentials of the mount are used. */
  readonly ownCredential?: Authenticate;
  /** The names that `expand` accepts in 2.0. */
  readonly expand?: Expansions;
  /**
   * The schema of the record, or of the items of a list, in its 1.0 shape. The `id` in its meta names the component and the 2.0
   * dialect.
   */
  readonly response?: z.ZodType;
  /** The schema of a response with 200 from a POST that creates records: a record that already exists, or a preview. */
  readonly found?: z.ZodType;
  /** The content type of a response that is not JSON. `response` describes a part of it. */
  readonly produces?: 'text/event-stream';
}

interface Inputs<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  /** An invalid value results in 404. */
  readonly params?: P;
  /** Values are strings. List parameters, `version` and `expand` are not included. */
  readonly query?: Q;
  readonly body?: B;
}

export interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Description,
    Inputs<P, Q, B> {
  /** 101: the handler takes over the connection. */
  readonly success: 101 | 200 | 201 | 204;
  /** The route accepts multipart/form-data, and with `fields` also a JSON body. */
  readonly upload?: Upload;
  /** Adds values of the request to the response, even if it is replayed. */
  readonly echo?: (record: Record<string, unknown>, body: Record<string, unknown>) => Record<string, unknown>;
  handler(context: Context<z.output<P>, z.output<Q>, z.output<B>>): Promise<HandlerResult>;
}

export interface ListRouteSpec<P extends z.ZodType, Q extends z.ZodType>
  extends Omit<Description, 'method' | 'response'>,
    Omit<Inputs<P, Q, z.ZodType>, 'body'> {
  readonly response: z.ZodType;
  readonly list: ListSpec;
  handler(
    context: Context<z.output<P>, z.output<Q>> & { readonly list: ListQuery },
  ): Promise<ListPage<object>>;
}

/** A route of the table, as the framework, the description and the drift check use it. */
export interface Route extends Description, Inputs<z.ZodType, z.ZodType, z.ZodType> {
  readonly success: 101 | 200 | 201 | 204;
  readonly list?: ListSpec;
  readonly upload?: Upload;
  readonly echo?: (record: Record<string, unknown>, body: Record<string, unknown>) => Record<string, unknown>;
  handler(context: Context & { readonly list: ListQuery }): Promise<HandlerResult>;
}

/** A route that returns one record or nothing. */
export function route<
  P extends z.ZodType = z.ZodObject,
  Q extends z.ZodType = z.ZodObject,
  B extends z.ZodType = z.ZodObject,
>(spec: RouteSpec<P, Q, B>): Route {
  return spec as Route;
}

/** A route that returns a page of records. */
export function listRoute<P extends z.ZodType = z.ZodObject, Q extends z.ZodType = z.ZodObject>(
  spec: ListRouteSpec<P, Q>,
): Route {
  return { ...spec, method: 'GET', success: 200, handler: spec.handler.bind(spec) } as Route;
}
