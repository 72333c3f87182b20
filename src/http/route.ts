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

/** What a handler gets of a request that passed every check. */
export interface Context<Params = unknown, Query = unknown, Body = unknown> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The fields of a form that came in place of a JSON body, as `upload.fields` reads them. */
  readonly form: unknown;
  /** The file of an upload that is written to disk as it comes; it is removed after the answer unless it was kept. */
  readonly file: StreamedFile | undefined;
  readonly version: ApiVersion;
  readonly requestId: string;
  /** Id for the record to be created: new, or the one an earlier try of this request was given. */
  readonly resourceId: string;
  /** Set when the request carries an idempotency key; the store completes it together with its own writes. */
  readonly claim: Claim | undefined;
  /** What `expand` asks for (2.0 only). */
  readonly expand: ReadonlySet<string>;
  /** The request path as sent, without query. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** Of the client, as the service sees it. */
  readonly address: string;
  /** Whether the credentials of the request still hold, scopes included; for what takes long, such as a stream or a socket. */
  readonly isStillValid: () => Promise<boolean>;
}

/** A success with another status than the route's own. */
export interface OtherSuccess {
  readonly status: 200 | 201 | 202 | 204;
  readonly record: object | undefined;
  /** Sent with it, such as a cookie; not part of an answer that is replayed. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The handler writes the response itself from here on, as for an event stream; headers set so far are kept. HEAD gets the
 * headers alone: then `giveUp` is called in place of `start`.
 */
export class TakeOver {
  constructor(
    readonly start: (response: ServerResponse) => void,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly giveUp: () => void = () => undefined,
  ) {}
}

export type HandlerResult = object | OtherSuccess | TakeOver | undefined;

/** A file that comes as a part of a form. It is written to disk while it arrives. */
interface Upload {
  readonly streamed: StreamedUpload;
  /** The fields of a form that is sent in place of a JSON body. Absent: the route takes forms only, and `body` describes their fields. */
  readonly fields?: z.ZodType;
}

interface Description {
  readonly method: Method;
  /** From the base address, with `{name}` for parameters: `/openapi/messages/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly scopes: ScopeRule | ((caller: Caller) => ScopeRule);
  readonly oauth: OAuthRule;
  /**
   * What the caller must be in addition to the scopes, also for the record that the path names and the body, both as they were
   * sent; throws `access_denied`, and nothing for a record that doesn't exist or a body that can't be read.
   */
  readonly admits?: (
    caller: Caller,
    path: Readonly<Record<string, string>>,
    sent: () => Promise<Readonly<Record<string, unknown>>>,
  ) => void | Promise<void>;
  /** Shows or changes what belongs to conversations of all teams: refused to members who see only those of their own. */
  readonly wholeWorkspace?: boolean;
  /** Answered without credentials: the caller is `anonymous`. */
  readonly open?: boolean;
  /** Belongs to the dashboard alone: it knows no Idempotency-Key. */
  readonly dashboard?: boolean;
  /** Can end keys or tokens: the answer waits until this process refuses them. */
  readonly endsCredentials?: boolean;
  /** A credential of its own that the operation takes; where it finds none, those of the mount count. */
  readonly ownCredential?: Authenticate;
  /** What `expand` accepts in 2.0. */
  readonly expand?: Expansions;
  /** The record, or for lists the item, in its 1.0 shape; its `id` in meta names the component and the 2.0 dialect. */
  readonly response?: z.ZodType;
  /** What a POST that creates answers with 200 instead: the record it found, or a preview. */
  readonly found?: z.ZodType;
  /** What the route answers with, when that is not JSON; `response` describes a part of it. */
  readonly produces?: 'text/event-stream';
}

interface Inputs<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  /** A value that does not fit is 404. */
  readonly params?: P;
  /** Values are strings; list parameters, `version` and `expand` are not passed. */
  readonly query?: Q;
  readonly body?: B;
}

export interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Description,
    Inputs<P, Q, B> {
  /** 101: the handler takes the connection over. */
  readonly success: 101 | 200 | 201 | 204;
  /** Takes multipart/form-data, and with `fields` a JSON body as well. */
  readonly upload?: Upload;
  /** Adds to the answer what the request asks to see again, also to a replayed one. */
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

/** A route in the table: what the framework, the description and the drift check read. */
export interface Route extends Description, Inputs<z.ZodType, z.ZodType, z.ZodType> {
  readonly success: 101 | 200 | 201 | 204;
  readonly list?: ListSpec;
  readonly upload?: Upload;
  readonly echo?: (record: Record<string, unknown>, body: Record<string, unknown>) => Record<string, unknown>;
  handler(context: Context & { readonly list: ListQuery }): Promise<HandlerResult>;
}

/** A route that answers one record, or nothing. */
export function route<
  P extends z.ZodType = z.ZodObject,
  Q extends z.ZodType = z.ZodObject,
  B extends z.ZodType = z.ZodObject,
>(spec: RouteSpec<P, Q, B>): Route {
  return spec as Route;
}

/** A route that answers a page of records. */
export function listRoute<P extends z.ZodType = z.ZodObject, Q extends z.ZodType = z.ZodObject>(
  spec: ListRouteSpec<P, Q>,
): Route {
  return { ...spec, method: 'GET', success: 200, handler: spec.handler.bind(spec) } as Route;
}
