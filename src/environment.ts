import { z } from 'zod';

/** The environment is not valid. The message names the variable and the expected value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const wholeNumber = (what: string, min: number, max: number) =>
  z.coerce
    .number({ error: `must be ${what} from ${min} to ${max}` })
    .int()
    .min(min)
    .max(max);

const port = wholeNumber('a port number', 0, 65_535);

const days = wholeNumber('a whole number of days', 1, 36_500);

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** Addresses are written in full, because other programs may read 10/8 as 0.0.0.10/8. */
const network = z.union([z.cidrv4(), z.cidrv6()]);

const masterKey = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, { error: 'must be 32 bytes in base64' });

const origin = z.string().refine((value) => isOrigin(value), {
  error: 'must be an http or https origin without path or trailing slash, such as https://bridge.example',
});
/** Whether all URLs start with one of the schemes, such as those of STUN and TURN servers (RFC 7064, RFC 7065). */
function allStartWith(...schemes: string[]) {
  return (urls: readonly string[]) => urls.every((url) => schemes.some((scheme) => url.startsWith(scheme)));
}

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const textUpTo256 = z.string().max(256, { error: 'must have up to 256 characters' });

const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const;

export const allRoles = ['api', 'worker', 'gateway'] as const;

/** Every environment variable that Trunkline reads, with its rule. */
const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .refine((value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value), {
      error: 'must be of the form postgres://user:password@host:5432/database',
    })
    .optional(),
  REDIS_URL: z
    .string()
    .refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value), {
      error: 'must be of the form redis://host:6379',
    })
    .optional(),
  TRUNKLINE_MASTER_KEY: masterKey.optional(),
  TRUNKLINE_MASTER_KEY_PREVIOUS: masterKey.optional(),
  TRUNKLINE_BOOTSTRAP_EMAIL: z
    .email({ error: 'must be an e-mail address' })
    .max(254, { error: 'must have up to 254 characters' })
    .optional(),
  TRUNKLINE_BOOTSTRAP_PASSWORD: z
    .string()
    .min(8, { error: 'must have 8 to 256 characters' })
    .max(256, { error: 'must have 8 to 256 characters' })
    .optional(),
  TRUNKLINE_BOOTSTRAP_API_KEY: z.string().optional(),
  TRUNKLINE_ROLES: z
    .string()
    .default('api,worker,gateway')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(allRoles, { error: `must be a comma list of ${allRoles.join(', ')}` })).min(1)),
  TRUNKLINE_PAUSED: oneOf(['0', '1']).optional(),
  TRUNKLINE_ADAPTERS: z.string().default('').transform(listOf),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform(listOf)
    .refine((networks) => networks.every((each) => network.safeParse(each).success), {
      error: 'must be a comma list of CIDRs of your proxies such as 10.0.0.0/8,::1/128',
    }),
  ALLOW_PRIVATE_TARGETS: z
    .string()
    .default('')
    .transform(listOf)
    .refine((networks) => networks.every((each) => network.safeParse(each).success), {
      error: 'must be a comma list of CIDRs such as 127.0.0.0/8,::1/128',
    }),
  TRANSLATE_URL: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: 'must be the http or https address of a LibreTranslate server',
    })
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  TRANSLATE_API_KEY: z.string().optional(),
  MAP_FILE: z.string().optional(),
  TV_SOURCES: z.string().default('').transform(listOf),
  TV_REFRESH_MINUTES: wholeNumber('a whole number of minutes', 1, 10_080).default(360),
  TRUNKLINE_URL: origin.optional(),
  TRUNKLINE_API_KEY: z.string().optional(),
  TRUNKLINE_WEBHOOK_SECRET: z.string().optional(),
  MARKETING_CAP: z
    .string()
    .regex(/^[1-9]\d{0,2}\/[1-9]\d{0,2}[hd]$/, {
      error: 'must be a number and a time, such as 3/7d or 1/24h',
    })
    .transform(readCap)
    .optional(),
  STUN_URLS: z.string().default('').transform(listOf).refine(allStartWith('stun:', 'stuns:'), {
    error: 'must be a comma list such as stun:stun.example:3478',
  }),
  TURN_URLS: z.string().default('').transform(listOf).refine(allStartWith('turn:', 'turns:'), {
    error: 'must be a comma list such as turn:turn.example:3478',
  }),
  TURN_SECRET: z.string().optional(),
  RETAIN_ENVELOPES_DAYS: days.default(30),
  RETAIN_ATTEMPTS_DAYS: days.default(90),
  RETAIN_MESSAGES_DAYS: days.optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, {
      error: 'must be the https address of an OpenID Connect provider, or an http one of this machine',
    })
    .optional(),
  OIDC_CLIENT_ID: textUpTo256.optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLIENT_AUTH: oneOf(['basic', 'post']).default('basic'),
  OIDC_SCOPES: z
    .string()
    .refine((value) => value.split(' ').includes('openid'), {
      error: 'must be scopes with spaces between them, one of them openid',
    })
    .default('openid email profile'),
  OIDC_ROLE_CLAIM: textUpTo256.optional(),
  OIDC_ROLE_MAP: z
    .string()
    .transform(readRoleMap)
    .refine((value) => value !== undefined, {
      error:
        'must be a JSON object from values of the claim to owner, admin, member or viewer, such as {"support":"member"}',
    })
    .optional(),
  OIDC_BUTTON: z.string().max(64, { error: 'must have up to 64 characters' }).default('Single sign-on'),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: 'must be the http or https address of an OTLP receiver',
    })
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  OTEL_TRACES_SAMPLER: oneOf(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number from 0 to 1' })
    .min(0)
    .max(1)
    .default(1),
  DRAIN_NOTICE_SECONDS: wholeNumber('a whole number of seconds', 0, 15).default(5),
  TRUNKLINE_COMMIT: z.string().default('unknown'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error']).default('info'),
});

/** Parses a value such as `{"support":"member"}`. Undefined for anything else. */
function readRoleMap(value: string): Record<string, (typeof memberRoles)[number]> | undefined {
  try {
    return z.record(z.string(), z.enum(memberRoles)).parse(JSON.parse(value));
  } catch {
    // The value is not JSON or has another form. The validation rule reports the expected form.
    return undefined;
  }
}

/** Parses a value such as `3/7d` or `1/24h`. */
function readCap(value: string): { count: number; seconds: number } {
  const [count = '', time = ''] = value.split('/');
  return { count: Number(count), seconds: Number.parseInt(time, 10) * (time.endsWith('d') ? 86_400 : 3_600) };
}

function listOf(value: string): string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  return [...new Set(entries)].filter((entry) => entry !== '');
}

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  if (search !== '' || hash !== '' || username !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

export type Environment = z.output<typeof environment>;

/** Validates the variables. Empty values count as absent. Raises ConfigurationError. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  // An element of a list is reported by the name of its variable.
  const problems = parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
  throw new ConfigurationError([...new Set(problems)].join('; '));
}

/** The environment for a service in a child process: that of this process, with `values` instead of our variables. */
export function childEnvironment(
  values: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const foreign = Object.entries(variables).filter(([name]) => !(name in environment.shape));
  return { ...Object.fromEntries(foreign), ...values };
}

/** A variable whose name is in a file of the operator. Empty values count as absent. */
export function namedVariable(name: string, variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return variables[name] || undefined;
}

/** The options that Node was started with, from NODE_OPTIONS and the command line. */
export function nodeOptions(): readonly string[] {
  return [process.env.NODE_OPTIONS ?? '', ...process.execArgv];
}
