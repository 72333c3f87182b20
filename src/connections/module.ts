import { Container, ContainerModule } from 'inversify';
import { AdapterContribution, type AdapterDefinition } from '../contract/index.js';
import type { AdapterHolds } from '../core/adapters/adapter-holds.js';
import * as ports from '../core/modules/tokens.js';
import { Platforms, type RefusedAdapter } from '../core/platforms/catalogue.js';
import type { HostServices } from './host.js';
import { Supervisor } from './supervisor.js';

/** What the live adapters need that the container does not make. */
export type SupervisorOptions = Pick<
  HostServices,
  'receive' | 'fetch' | 'assertTarget' | 'openMedia' | 'publicUrl'
> & {
  readonly ingress: boolean;
  readonly holds: AdapterHolds;
};

/** Adapters that came in packages. */
export interface PackagedAdapters {
  /** Which package a definition came from. */
  readonly packages: ReadonlyMap<AdapterDefinition, string>;
  /** What could not even be loaded. */
  readonly refused: readonly RefusedAdapter[];
}

/**
 * What an adapter's module contributes, read in a container of its own: a module that someone else wrote binds nothing
 * in ours.
 */
export function contributionsOf(module: ContainerModule): AdapterDefinition[] {
  const container = new Container();
  container.load(module);
  return container.getAll(AdapterContribution, { optional: true });
}

/** The registry of platforms, collected from every adapter's own module, and the supervisor of live connections. */
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
