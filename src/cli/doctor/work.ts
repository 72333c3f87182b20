import type { Config } from '../../config.js';
import {
  hasCalls,
  readConnectionTroubles,
  readWebhookTroubles,
  type TroubledConnection,
} from '../../store/inspection/troubles.js';
import { Housekeeping } from '../../store/maintenance/housekeeping.js';
import type { Pool } from './database.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Maximum number of rows that are listed. */
const MAX_LISTED = 20;
const LATE_SECONDS = 60;
const VERY_LATE_SECONDS = 600;

/** Checks the health of connections, as the running service recorded it. */
export async function checkPlatforms(pool: Pool): Promise<Finding[]> {
  const name = 'Connections to platforms';
  const { working, troubled, first } = await readConnectionTroubles(pool, MAX_LISTED);
  const found = first.map(connectionFinding);
  if (troubled > first.length)
    found.push(
      warning(name, `${troubled - first.length} more need attention.`, 'See the platforms in the dashboard.'),
    );
  if (troubled === 0)
    found.push(ok(name, working === 0 ? 'None is switched on.' : `All ${working} are connected.`));
  return found;
}

function connectionFinding({ platform, name, workspace, status, health }: TroubledConnection): Finding {
  const check = `Connection ${platform}`;
  const found = `"${name}" of "${workspace}" is ${status}: ${health.message}`;
  const fix = health.fix ?? 'Look at the connection in the dashboard, and test it there.';
  return status === 'error' ? problem(check, found, fix) : warning(check, found, fix);
}

/** Checks how long the oldest work has waited. */
export async function checkBacklog(pool: Pool): Promise<Finding[]> {
  const name = 'Queue';
  const { queueSeconds, webhookSeconds, deliverySeconds } = await new Housekeeping(pool).backlog();
  const ages = [
    ['delivery', deliverySeconds],
    ['webhook', webhookSeconds],
    ['job', queueSeconds],
  ] as const;
  const late = ages.filter(([, seconds]) => seconds > LATE_SECONDS);
  if (late.length === 0) return [ok(name, 'No work has waited for more than a minute.')];
  const fix =
    'Check that a process with the role worker runs, look for errors in its log, and see the platform in the dashboard.';
  return late.map(([what, seconds]) => {
    const found = `The oldest ${what} has waited for ${seconds} s.`;
    return seconds > VERY_LATE_SECONDS ? problem(name, found, fix) : warning(name, found, fix);
  });
}

/** Checks for webhooks that the service disabled, and for endpoints that fail. */
export async function checkWebhooks(pool: Pool): Promise<Finding[]> {
  const name = 'Webhooks';
  const { working, troubled, first } = await readWebhookTroubles(pool, MAX_LISTED);
  if (troubled === 0) return [ok(name, working === 0 ? 'None is enabled.' : `All ${working} receive.`)];
  const found = first.map(({ id, url, workspace, status, disabled_reason: reason }) => {
    // The path and query of a webhook URL often contain a secret.
    const where = `${id} of "${workspace}" at ${URL.canParse(url) ? new URL(url).host : 'an unknown host'}`;
    return status === 'enabled'
      ? warning(
          name,
          `${where} fails.`,
          'Repair the endpoint. Its deliveries are repeated for up to three days.',
        )
      : warning(
          name,
          `${where} was disabled (${reason ?? 'unknown'}).`,
          'Repair the endpoint, then enable the webhook in the dashboard.',
        );
  });
  if (troubled > first.length)
    found.push(
      warning(
        name,
        `${troubled - first.length} more fail or are disabled.`,
        'See the webhooks in the dashboard.',
      ),
    );
  return found;
}

/** Checks for a TURN server, which calls between networks with strict routers need. */
export async function checkCalls(pool: Pool, { ice }: Config): Promise<Finding[]> {
  const name = 'Calls';
  if (ice.turnUrls.length > 0) {
    const overTls = ice.turnUrls.some((url) => url.startsWith('turns:'));
    return overTls
      ? [ok(name, 'TURN is configured, also over TLS.')]
      : [ok(name, 'TURN is configured. A turns: address would also pass strict firewalls.')];
  }
  if (!(await hasCalls(pool))) return [ok(name, 'None was made, and no TURN server is configured.')];
  return [
    warning(
      name,
      'Calls are made, and no TURN server is configured: calls between networks with strict firewalls fail.',
      'Run coturn and set TURN_URLS and TURN_SECRET (docs/calls.md).',
    ),
  ];
}
