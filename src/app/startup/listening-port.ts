import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigurationError } from '../../config.js';

/** Another program listens on the address. */
class AddressInUseError extends Error {
  override readonly name = 'AddressInUseError';
}

export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
  /** Names of the environment variables that contain the address, for the message. */
  readonly variables: readonly [port: string, host: string];
}

/**
 * Checks that an address is available, before anything else is started. Raises AddressInUseError or ConfigurationError, which
 * name the variable to change. `explainListenError` handles a port that is taken after this check.
 */
export async function checkListeningAddress(address: ListeningAddress): Promise<void> {
  if (address.port === 0) return;
  const server = createServer();
  try {
    server.listen({ host: address.host, port: address.port });
    await once(server, 'listening');
  } catch (error) {
    throw explainListenError(error, address);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

/** Replaces an error of `listen` by one for the operator if it concerns the address. */
export function explainListenError(error: unknown, { host, port, variables }: ListeningAddress): unknown {
  const [portName, hostName] = variables;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new AddressInUseError(
        `Port ${port} on ${host} is in use by another program. Set ${portName} to a free port, or stop that program.`,
      );
    case 'EACCES':
      return new ConfigurationError(
        `This user may not listen on port ${port}. Set ${portName} to 1024 or above, or give the process the right to use it.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigurationError(
        `${hostName} ${host} is not an address of this machine. Set it to 127.0.0.1, 0.0.0.0 or one of the machine's own.`,
      );
    default:
      return error;
  }
}
