import type { Container } from 'inversify';
import * as ports from '../../core/modules/tokens.js';

/** Releases every lease in the database. Only for a process that has the database alone, so that no lease has a living holder. */
export async function releaseAllLeases(container: Container): Promise<void> {
  await container.get(ports.ConnectionRuntime).releaseAllLeases();
  await container.get(ports.DeliveryStore).releaseAllLanes();
  await container.get(ports.WebhookQueue).releaseAll();
  await container.get(ports.StreamLeases).closeAll();
  await container.get(ports.RateWindows).leaveAll();
}
