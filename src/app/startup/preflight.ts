import type { Config } from '../../config.js';
import type { Log } from '../../core/common/log.js';
import { findRunningEmbedded } from '../../store/embedded/start.js';
import { DatabaseInUseError } from '../../store/errors.js';
import { prepareDataDir } from './data-dir.js';
import { checkListeningAddress } from './listening-port.js';

/**
 * Performs all checks that need no database, so that a mistake in the environment is found early and its message is the last
 * line of the log. Raises ConfigurationError, AddressInUseError and DatabaseInUseError.
 */
export async function preflight(config: Config): Promise<void> {
  await prepareDataDir(config.dataDir);
  try {
    await checkListeningAddress({ host: config.host, port: config.port, variables: ['PORT', 'HOST'] });
    if (config.metrics !== undefined)
      await checkListeningAddress({ ...config.metrics, variables: ['METRICS_PORT', 'METRICS_HOST'] });
  } catch (error) {
    await refuseSecondProcess(config);
    throw error;
  }
}

/** If the port is taken and a service already runs on the same data, reports that this is a second process. */
async function refuseSecondProcess({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await findRunningEmbedded(dataDir)) === undefined) return;
  throw new DatabaseInUseError(
    `Another Trunkline runs on ${dataDir} already. Stop it, or set DATA_DIR and PORT to others.`,
  );
}

/** Links, webhook addresses and signatures contain PUBLIC_URL. Without it, they refer to this machine. */
export function warnOfMissingPublicUrl({ publicUrl }: Config, log: Log): void {
  if (publicUrl !== undefined) return;
  log.warn(
    {
      reason: 'Links and webhook addresses name localhost, which platforms and other machines cannot reach.',
      fix: 'Set PUBLIC_URL to the address that clients and platforms reach this service at.',
    },
    'public_url.missing',
  );
}
