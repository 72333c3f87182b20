import type { LookupFunction } from 'node:net';
import type { Client } from '@xmpp/client';
import type { AdapterHost } from 'trunkline';

interface Dialling {
  connect(service: string): Promise<unknown>;
  socketParameters(service: string): object | undefined;
}

/**
 * Checks the address of each connection attempt and connects only to the checked addresses. The library reconnects by itself,
 * also to another server if the first one redirects it.
 */
export function dialChecked(xmpp: Client, host: AdapterHost): void {
  const entity = xmpp as unknown as Dialling;
  const connect = entity.connect.bind(entity);
  const socketParameters = entity.socketParameters.bind(entity);
  let lookup: LookupFunction | undefined;
  entity.connect = async (service) => {
    lookup = await host.assertTarget(service.replace(/^xmpps:/, 'tls:').replace(/^xmpp:/, 'tcp:'));
    return connect(service);
  };
  entity.socketParameters = (service) => {
    const parameters = socketParameters(service);
    return parameters && { ...parameters, lookup };
  };
}
