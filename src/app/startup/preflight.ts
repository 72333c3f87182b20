import type { Config } from '../../config.js';
import type { Log } from '../../core/common/log.js';
import { findRunningEmbedded } from '../../store/embedded/start.js';
import { DatabaseInUseError } from '../../store/errors.js';
import { prepareDataDir } from './data-dir.js';
import { checkListeningAddress } from './listening-port.js';

/**
 * Checks what can be checked before a database is started, so that a mistake in the environment costs nothing and its message
 * is the last line. Raises ConfigurationError, AddressInUseError and DatabaseInUseError.
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

/** A port that is taken by the service on the same data means that this process is one too many. */
async function refuseSecondProcess({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await findRunningEmbedded(dataDir)) === undefined) return;
  throw new DatabaseInUseError(
    `Another Trunkline runs on ${dataDir} already. Stop it, or set DATA_DIR and PORT to others.`,
  );
}

/** Links, webhook addresses and signatures are made of PUBLIC_URL; without it they name this machine. */
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
