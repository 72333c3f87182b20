import { type Reached, reachPublicUrl } from '../../app/inspection.js';
import type { Config } from '../../config.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'PUBLIC_URL';
const PROXY = 'Proxy headers';
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

const FAILURES: Readonly<Record<Extract<Reached, { problem: unknown }>['problem'], [string, string]>> = {
  dns: ['its host name does not resolve', 'Create the DNS record, or correct PUBLIC_URL.'],
  connection: [
    'nothing answers there',
    'Start the reverse proxy and open its port in the firewall. A router may refuse its own public address from within: then check from outside.',
  ],
  timeout: ['there is no answer in time', 'Open the port in the firewall, and check that the proxy runs.'],
  tls: [
    'its certificate is not valid for this name, or is not trusted',
    'Renew the certificate with its whole chain. For an authority of your own set NODE_EXTRA_CA_CERTS.',
  ],
  forbidden_target: [
    'its port is one that the service never connects to',
    'Use port 443, 80 or one above 1023 that belongs to no database.',
  ],
};

/** Checks whether the public address leads to this installation, and whether the proxy in front of it is trusted. */
export async function checkPublicUrl(config: Config, masterKeys: readonly Buffer[]): Promise<Finding[]> {
  const { publicUrl } = config;
  if (publicUrl === undefined)
    return [
      warning(
        NAME,
        'It is not set: links and webhook addresses name localhost, which platforms cannot reach.',
        'Set PUBLIC_URL to the address that clients and platforms reach this service at.',
      ),
      ...trustOf(config),
    ];
  const reached = await reachPublicUrl(publicUrl, masterKeys);
  return [
    ...schemeOf(publicUrl),
    ...answerOf(publicUrl, reached, masterKeys.length > 0),
    ...trustOf(config, reached),
  ];
}

function schemeOf(publicUrl: string): Finding[] {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return [];
  if (LOCAL.includes(hostname))
    return [
      warning(
        NAME,
        `${publicUrl} names this machine: platforms and other machines cannot reach it.`,
        'Set PUBLIC_URL to the address that others use. For a trial on one machine this is right.',
      ),
    ];
  return [
    problem(
      NAME,
      `${publicUrl} is not encrypted: passwords and keys can be read on the way, and platforms refuse it for webhooks.`,
      'Put a reverse proxy with TLS before the service (deploy/ has examples) and set PUBLIC_URL to its https address.',
    ),
  ];
}

function answerOf(publicUrl: string, reached: Reached, hasKey: boolean): Finding[] {
  if ('problem' in reached) {
    const [what, fix] = FAILURES[reached.problem];
    return [problem(NAME, `${publicUrl} cannot be reached: ${what}.`, fix)];
  }
  if (reached.status >= 500)
    return [
      problem(
        NAME,
        `${publicUrl}/healthz answers ${reached.status}: the proxy does not reach the service.`,
        'Start the service, and point the proxy at its HOST and PORT.',
      ),
    ];
  if (!hasKey)
    return [
      warning(
        NAME,
        `${publicUrl} answers, but without the master key it cannot be recognised.`,
        'Run the command with TRUNKLINE_MASTER_KEY or on the DATA_DIR of the service.',
      ),
    ];
  if (reached.forwarding === undefined)
    return [
      problem(
        NAME,
        `${publicUrl}/healthz answers ${reached.status}, and not from this installation.`,
        'Point DNS and proxy at this service. If it runs an older version or another master key, restart it.',
      ),
    ];
  return [ok(NAME, `${publicUrl} reaches this installation.`)];
}

function trustOf({ trustProxy, publicUrl = '' }: Config, reached?: Reached): Finding[] {
  const all = trustProxy.filter((network) => /\/0$/.test(network));
  if (all.length > 0)
    return [
      problem(
        PROXY,
        `TRUST_PROXY names every address (${all.join(', ')}): any client can claim any address.`,
        'Name the addresses of your proxies only, such as 127.0.0.1/32,::1/128.',
      ),
    ];
  const forwarding = reached !== undefined && 'forwarding' in reached ? reached.forwarding : undefined;
  if (forwarding === undefined) return [];
  if (forwarding === 'untrusted')
    return [
      problem(
        PROXY,
        'The proxy sends X-Forwarded-For, and TRUST_PROXY does not name it: all clients seem to have its address.',
        'Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1/32 for one on this machine.',
      ),
    ];
  if (forwarding === 'none' && publicUrl.startsWith('https:'))
    return [
      warning(
        PROXY,
        'The proxy does not send X-Forwarded-For: all clients seem to have its address.',
        'Let it set the header (deploy/ has examples), and name it in TRUST_PROXY.',
      ),
    ];
  return [
    ok(
      PROXY,
      forwarding === 'trusted' ? 'The proxy is trusted, and its client is known.' : 'No proxy is used.',
    ),
  ];
}
