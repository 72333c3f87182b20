import { Container, ContainerModule } from 'inversify';
import { AdapterContribution, type AdapterDefinition } from '../contract/index.js';
import type { AdapterHolds } from '../core/adapters/adapter-holds.js';
import * as ports from '../core/modules/tokens.js';
import { Platforms, type RefusedAdapter } from '../core/platforms/catalogue.js';
import type { HostServices } from './host.js';
import { Supervisor } from './supervisor.js';

/** Services of the live adapters that the container does not create. */
export type SupervisorOptions = Pick<
  HostServices,
  'receive' | 'fetch' | 'assertTarget' | 'openMedia' | 'publicUrl'
> & {
  readonly ingress: boolean;
  readonly holds: AdapterHolds;
};

/** Adapters that were loaded from packages. */
export interface PackagedAdapters {
  /** The package of each definition. */
  readonly packages: ReadonlyMap<AdapterDefinition, string>;
  /** Adapters that could not be loaded. */
  readonly refused: readonly RefusedAdapter[];
}

/**
 * The definitions that an adapter's module contributes. The module is read in a separate container, so that third-party
 * modules bind nothing in the container of the service.
 */
export function contributionsOf(module: ContainerModule): AdapterDefinition[] {
  const container = new Container();
  container.load(module);
  return container.getAll(AdapterContribution, { optional: true });
}

/** The registry of platforms, collected from the adapter modules, and the supervisor of live connections. */
export function connectionsModule(
  definitions: () => AdapterDefinition[],
  packaged: PackagedAdapters,
  options: SupervisorOptions,
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ports.InstalledPlatforms).toDynamicValue(
      () => new Platforms(definitions(), packaged.refused, packaged.packages),
    );
    bind(Supervisor).toResolvedValue(
      (platforms, runtime, log) => new Supervisor(platforms, { ...options, runtime, log }, options),
      [ports.InstalledPlatforms, ports.ConnectionRuntime, ports.Log],
    );
    bind(ports.SendingConnections).toService(Supervisor);
    bind(ports.Decoders).toService(Supervisor);
    bind(ports.PlatformMedia).toService(Supervisor);
    bind(ports.AdapterFactory).toService(Supervisor);
  });
}

export { AdapterContribution };
