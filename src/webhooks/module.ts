import { ContainerModule } from 'inversify';
import * as ports from '../core/modules/tokens.js';
import { DeliverDue } from './deliver-due.js';
import { FanOut } from './fan-out.js';
import { type SenderOptions, WebhookSender } from './sender.js';
import { DirectTester } from './tester.js';

/** Delivery of events to webhooks. */
export function webhooksModule(options: SenderOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(WebhookSender).toResolvedValue(
      (client) => new WebhookSender(client, options),
      [ports.OutgoingRequests],
    );
    bind(FanOut).toResolvedValue(
      (events, queue, deliverer) => new FanOut(events, queue, deliverer),
      [ports.EventReader, ports.WebhookQueue, DeliverDue],
    );
    bind(DeliverDue).toResolvedValue(
      (queue, sender, log, telemetry) => new DeliverDue({ queue, sender, log, telemetry }),
      [ports.WebhookQueue, WebhookSender, ports.Log, ports.Telemetry],
    );
    bind(ports.WebhookTester).toResolvedValue(
      (queue, sender) => new DirectTester(queue, sender),
      [ports.WebhookQueue, WebhookSender],
    );
  });
}
