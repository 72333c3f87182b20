import { type HealthReport, PlatformError } from '../../../src/contract/index.js';
import type { ConnectionEnd } from './gateway-connection.js';

/** The reason why the gateway is not connected. */
export interface GatewayFailure {
  readonly report: HealthReport;
  /** Present if another attempt would be refused too. `start` rejects with it. */
  readonly final?: PlatformError;
  /** A wait that Discord requires. */
  readonly retryAfterMs?: number;
}

const portal = 'Open the bot in the Discord developer portal';
const badToken: HealthReport = {
  code: 'bad_credentials',
  message: 'Discord does not accept the bot token.',
  fix: `${portal}, reset the token under Bot and enter the new one.`,
};
const misconfigured = (message: string, fix: string): HealthReport => ({
  code: 'misconfigured',
  message,
  fix,
});

/**
 * Close codes that forbid a reconnect
 * (https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
 */
const finalCloses: Readonly<Record<number, HealthReport>> = {
  4004: badToken,
  4010: misconfigured('Discord refused the shard of this connection.', 'Report this as a defect.'),
  4011: misconfigured(
    'The bot is in too many servers for one connection.',
    'Use a bot that is in fewer servers.',
  ),
  4012: misconfigured('Discord does not offer this gateway version any more.', 'Update Trunkline.'),
  4013: misconfigured('Discord does not know the requested intents.', 'Update Trunkline.'),
  4014: misconfigured(
    'The bot is not allowed to read message content.',
    `${portal} and switch on Message Content Intent under Bot.`,
  ),
};

const unreadableReport: HealthReport = {
  code: 'transient',
  message: 'The state of the Discord gateway could not be read.',
};

/** The bridge's own storage failed before the gateway was dialled. */
export const storageFailure: GatewayFailure = {
  report: unreadableReport,
  final: new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched: 'no', message: unreadableReport.message },
  ),
};

/** Maps the end of a connection to a failure. */
export function failureOfClose(ending: ConnectionEnd): GatewayFailure {
  const report = ending.code === undefined ? undefined : finalCloses[ending.code];
  if (report === undefined)
    return {
      report: { code: 'transient', message: 'The connection to the Discord gateway was lost; reconnecting.' },
    };
  return { report, final: finalError(report, String(ending.code)) };
}

/** Maps an error before the connection to a failure. */
export function failureOfError(error: unknown): GatewayFailure {
  if (!(error instanceof PlatformError)) {
    return {
      report: misconfigured(
        'The connection to the Discord gateway could not be opened.',
        'Check api_base_url.',
      ),
    };
  }
  const { problem, message } = error;
  switch (problem.kind) {
    case 'unauthorized':
      return { report: badToken, final: error };
    case 'rate_limited':
      return { report: { code: 'rate_limited', message }, retryAfterMs: problem.retryAfterMs };
    case 'unavailable':
      return { report: { code: 'transient', message } };
    default:
      return { report: misconfigured(message, error.fix ?? 'Check api_base_url.') };
  }
}

function finalError(report: HealthReport, code: string): PlatformError {
  return new PlatformError(
    { kind: report.code === 'bad_credentials' ? 'unauthorized' : 'misconfigured' },
    {
      dispatched: 'no',
      message: report.message,
      code,
      ...(report.fix === undefined ? {} : { fix: report.fix }),
    },
  );
}
