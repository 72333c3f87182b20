import {
  allRoles,
  ConfigurationError,
  type Environment,
  readEnvironment,
  type samplers,
} from './environment.js';

export { ConfigurationError, childEnvironment, namedVariable } from './environment.js';

type MemberRole = NonNullable<Environment['OIDC_ROLE_MAP']>[string];
type Role = (typeof allRoles)[number];

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret: string | undefined;
  readonly clientAuth: 'basic' | 'post';
  readonly scopes: string;
  /** The claim whose values have roles; absent: roles are given in the dashboard alone. */
  readonly roles: { readonly claim: string; readonly byValue: ReadonlyMap<string, MemberRole> } | undefined;
  /** The text of the button. */
  readonly label: string;
}

/** What the environment says, checked. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absent: `http://localhost:<port>`, known once the server listens. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly masterKey: string | undefined;
  /** The key that `masterKey` replaces, until `keys rotate-master` has ended. */
  readonly previousMasterKey: string | undefined;
  readonly bootstrap:
    | { readonly email: string; readonly password: string; readonly apiKey?: string }
    | undefined;
  readonly roles: readonly Role[];
  /** Whether the service only answers requests. False: this database is the real one. Absent: unless the database is a copy. */
  readonly paused: boolean | undefined;
  /** Packages with adapters, in addition to those in trunkline.config.json. */
  readonly adapters: readonly string[];
  readonly allowPrivateTargets: readonly string[];
  /** Networks of proxies whose `X-Forwarded-For` is believed; empty: the peer is the client. */
  readonly trustProxy: readonly string[];
  readonly translation: { readonly url: string | undefined; readonly apiKey: string | undefined };
  /** A PMTiles file with a map for positions; absent: the outline of countries. */
  readonly mapFile: string | undefined;
  /** Files and addresses of XMLTV guides, and how often they are looked at. */
  readonly tv: { readonly sources: readonly string[]; readonly refreshMinutes: number };
  /** The maximum number of marketing messages from broadcasts that a contact gets in a period. */
  readonly marketingCap: { readonly count: number; readonly seconds: number } | null;
  readonly ice: {
    readonly stunUrls: readonly string[];
    readonly turnUrls: readonly string[];
    /** Set when there are TURN servers. */
    readonly turnSecret: string | undefined;
  };
  /** A provider of OpenID Connect, by which people sign in; absent: with passwords alone. */
  readonly openId: OpenIdSettings | null;
  /** For how many days; messages: absent: until they are deleted. */
  readonly retain: {
    readonly envelopes: number;
    readonly attempts: number;
    readonly messages: number | undefined;
  };
  /** Where figures are read, in the format of Prometheus; absent: nothing is counted. */
  readonly metrics:
    | { readonly host: string; readonly port: number; readonly token: string | undefined }
    | undefined;
  /** Where traces are sent, over OTLP and HTTP; absent: nothing is traced. */
  readonly tracesUrl: string | undefined;
  /** Which traces are kept, as OpenTelemetry names it; `ratio` of those that `traceidratio` decides on. */
  readonly traceSampling: { readonly sampler: (typeof samplers)[number]; readonly ratio: number };
  /** How long a process that ends still serves while `/readyz` says that it does not. */
  readonly drainNoticeMs: number;
  /** Revision the running code was built from, shown by the status endpoint. */
  readonly commit: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** Reads the environment. Empty values count as absent. Raises ConfigurationError. */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const env = readEnvironment(variables);
  refuseSameKeys(env);
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    masterKey: env.TRUNKLINE_MASTER_KEY,
    previousMasterKey: env.TRUNKLINE_MASTER_KEY_PREVIOUS,
    bootstrap: bootstrapOf(env),
    roles: rolesOf(env),
    paused: env.TRUNKLINE_PAUSED === undefined ? undefined : env.TRUNKLINE_PAUSED === '1',
    adapters: env.TRUNKLINE_ADAPTERS,
    allowPrivateTargets: env.ALLOW_PRIVATE_TARGETS,
    trustProxy: env.TRUST_PROXY,
    translation: { url: env.TRANSLATE_URL, apiKey: env.TRANSLATE_API_KEY },
    mapFile: env.MAP_FILE,
    tv: { sources: env.TV_SOURCES, refreshMinutes: env.TV_REFRESH_MINUTES },
    marketingCap: env.MARKETING_CAP ?? null,
    ice: iceOf(env),
    openId: openIdOf(env),
    retain: {
      envelopes: env.RETAIN_ENVELOPES_DAYS,
      attempts: env.RETAIN_ATTEMPTS_DAYS,
      messages: env.RETAIN_MESSAGES_DAYS,
    },
    metrics: metricsOf(env),
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    traceSampling: { sampler: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG },
    drainNoticeMs: env.DRAIN_NOTICE_SECONDS * 1_000,
    logLevel: env.LOG_LEVEL,
    commit: env.TRUNKLINE_COMMIT,
  };
}

/** How commands reach a service as its client. */
export interface ClientConfig {
  /** Default: this machine, at the service's port. */
  readonly url: string;
  readonly key: string | undefined;
  /** Secret of a webhook, for `webhooks verify` and `listen`. */
  readonly webhookSecret: string | undefined;
}

/** Reads what clients need of the environment. Empty values count as absent. Raises ConfigurationError. */
export function readClientConfig(variables: NodeJS.ProcessEnv = process.env): ClientConfig {
  const env = readEnvironment(variables);
  return {
    url: env.TRUNKLINE_URL ?? `http://localhost:${env.PORT}`,
    key: env.TRUNKLINE_API_KEY,
    webhookSecret: env.TRUNKLINE_WEBHOOK_SECRET,
  };
}

function openIdOf(env: Environment): Config['openId'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLE_MAP: map } = env;
  if (issuer === undefined && clientId === undefined) {
    if (clientSecret === undefined && claim === undefined && map === undefined) return null;
  }
  if (issuer === undefined || clientId === undefined)
    throw new ConfigurationError(
      'OIDC_ISSUER and OIDC_CLIENT_ID must be set together, and the other variables of OIDC need both',
    );
  if ((claim === undefined) !== (map === undefined))
    throw new ConfigurationError('OIDC_ROLE_CLAIM and OIDC_ROLE_MAP must be set together');
  const roles = claim && map ? { claim, byValue: new Map(Object.entries(map)) } : undefined;
  const { OIDC_CLIENT_AUTH: clientAuth, OIDC_SCOPES: scopes, OIDC_BUTTON: label } = env;
  return { issuer, clientId, clientSecret, clientAuth, scopes, roles, label };
}

function iceOf(env: Environment): Config['ice'] {
  const { STUN_URLS: stunUrls, TURN_URLS: turnUrls, TURN_SECRET: turnSecret } = env;
  if (turnUrls.length > 0 !== (turnSecret !== undefined)) {
    throw new ConfigurationError('TURN_URLS and TURN_SECRET must be set together');
  }
  return { stunUrls, turnUrls, turnSecret };
}

/** The embedded database belongs to one process: no other process could do the work that it leaves out. */
function rolesOf(env: Environment): readonly Role[] {
  const roles = [...new Set(env.TRUNKLINE_ROLES)];
  if (roles.length < allRoles.length && env.DATABASE_URL === undefined) {
    throw new ConfigurationError('TRUNKLINE_ROLES needs DATABASE_URL when it names a part of the roles');
  }
  return roles;
}

/** Metrics reveal senders, recipients and volumes, so access from other machines requires a token. */
function metricsOf(env: Environment): Config['metrics'] {
  const { METRICS_PORT: at, METRICS_HOST: host, METRICS_TOKEN: token } = env;
  if (at === undefined) return undefined;
  if (token === undefined && !['127.0.0.1', '::1', 'localhost'].includes(host)) {
    throw new ConfigurationError('METRICS_HOST needs METRICS_TOKEN when it is not of this machine alone');
  }
  return { host, port: at, token };
}

function refuseSameKeys({ TRUNKLINE_MASTER_KEY: key, TRUNKLINE_MASTER_KEY_PREVIOUS: previous }: Environment) {
  if (previous !== undefined && key === previous)
    throw new ConfigurationError('TRUNKLINE_MASTER_KEY_PREVIOUS must differ from TRUNKLINE_MASTER_KEY');
}

function bootstrapOf(env: Environment): Config['bootstrap'] {
  const { TRUNKLINE_BOOTSTRAP_EMAIL: email, TRUNKLINE_BOOTSTRAP_PASSWORD: password } = env;
  const apiKey = env.TRUNKLINE_BOOTSTRAP_API_KEY;
  if (email === undefined && password === undefined && apiKey === undefined) return undefined;
  if (email === undefined || password === undefined) {
    throw new ConfigurationError(
      'TRUNKLINE_BOOTSTRAP_EMAIL and TRUNKLINE_BOOTSTRAP_PASSWORD must be set together, and TRUNKLINE_BOOTSTRAP_API_KEY needs both',
    );
  }
  return { email, password, ...(apiKey === undefined ? {} : { apiKey }) };
}
