import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { AdapterDefinition } from './adapter.js';

/** The token to which the module of every adapter binds its definition. The registry collects all of them. */
export const AdapterContribution: ServiceIdentifier<AdapterDefinition> = Symbol.for(
  'trunkline.AdapterDefinition',
);

/** The Inversify module of one adapter. It binds the definition without a name, so that multi-injection finds it. */
export function adapterModule<C, S>(definition: AdapterDefinition<C, S>): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AdapterContribution).toConstantValue(definition as unknown as AdapterDefinition);
  });
}
