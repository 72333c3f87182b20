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
  /** Absent for a public client. */
  readonly clientSecret: string | undefined;
  readonly clientAuth: 'basic' | 'post';
  readonly scopes: string;
  /** The claim whose values map to roles. If absent, roles are assigned in the dashboard only. */
  readonly roles: { readonly claim: string; readonly byValue: ReadonlyMap<string, MemberRole> } | undefined;
  /** The text of the sign-in button. */
  readonly label: string;
}

/** The validated configuration from the environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Default: `http://localhost:<port>`, which is known once the server listens. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly masterKey: string | undefined;
  /** The key that `masterKey` replaces. It is needed until `keys rotate-master` has ended. */
  readonly previousMasterKey: string | undefined;
  readonly bootstrap:
    | { readonly email: string; readonly password: string; readonly apiKey?: string }
    | undefined;
  readonly roles: readonly Role[];
  /**
   * True: the service only responds to requests. False: this database is the real one. Absent: true if the database is a copy.
   */
  readonly paused: boolean | undefined;
  /** Adapter packages, in addition to those in trunkline.config.json. */
  readonly adapters: readonly string[];
  readonly allowPrivateTargets: readonly string[];
  /** Networks of proxies whose `X-Forwarded-For` is trusted. If empty, the peer is the client. */
  readonly trustProxy: readonly string[];
  readonly translation: { readonly url: string | undefined; readonly apiKey: string | undefined };
  /** A PMTiles file with the map for positions. If absent, the map shows the outlines of countries. */
  readonly mapFile: string | undefined;
  /** Files and URLs of XMLTV guides, and how often they are read. */
  readonly tv: { readonly sources: readonly string[]; readonly refreshMinutes: number };
  /** Maximum number of marketing messages that a contact gets from broadcasts in a period. */
  readonly marketingCap: { readonly count: number; readonly seconds: number } | null;
  readonly ice: {
    readonly stunUrls: readonly string[];
    readonly turnUrls: readonly string[];
    /** Set when there are TURN servers. */
    readonly turnSecret: string | undefined;
  };
  /** The OpenID Connect provider for sign-in. If null, people sign in with passwords only. */
  readonly openId: OpenIdSettings | null;
  /** Retention in days. If `messages` is absent, messages are kept until they are deleted. */
  readonly retain: {
    readonly envelopes: number;
    readonly attempts: number;
    readonly messages: number | undefined;
  };
  /** Where Prometheus reads metrics. If absent, no metrics are collected. */
  readonly metrics:
    | { readonly host: string; readonly port: number; readonly token: string | undefined }
    | undefined;
  /** Where traces are sent with OTLP over HTTP. If absent, nothing is traced. */
  readonly tracesUrl: string | undefined;
  /** The sampler by its name in OpenTelemetry. `ratio` applies to samplers with `traceidratio`. */
  readonly traceSampling: { readonly sampler: (typeof samplers)[number]; readonly ratio: number };
  /** How long a process that is stopping still serves requests, while `/readyz` reports that it is not ready. */
  readonly drainNoticeMs: number;
  /** Revision that the running code was built from. The status endpoint shows it. */
  readonly commit: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** File for the log; standard output if absent. No environment variable sets it: a command that uses the terminal does. */
  readonly logFile?: string | undefined;
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

/** How commands connect to a service as clients. */
export interface ClientConfig {
  /** Default: this machine, at the port of the service. */
  readonly url: string;
  readonly key: string | undefined;
  /** Secret of a webhook, for `webhooks verify` and `listen`. */
  readonly webhookSecret: string | undefined;
}

/** Reads the settings of clients from the environment. Empty values count as absent. Raises ConfigurationError. */
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

/** Only one process can use the embedded database, so that process must have all roles. */
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
