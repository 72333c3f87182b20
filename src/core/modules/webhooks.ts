import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { clock } from '../../contract/clock.js';
import { CreateWebhook } from '../webhooks/use-cases/create-webhook.js';
import { DeleteWebhook } from '../webhooks/use-cases/delete-webhook.js';
import { GetWebhook } from '../webhooks/use-cases/get-webhook.js';
import { ListWebhooks } from '../webhooks/use-cases/list-webhooks.js';
import { ReadWebhookAnswers } from '../webhooks/use-cases/read-answers.js';
import { RecoverWebhookDeliveries } from '../webhooks/use-cases/recover-deliveries.js';
import { RetryWebhookDelivery } from '../webhooks/use-cases/retry-delivery.js';
import { RotateSecret } from '../webhooks/use-cases/rotate-secret.js';
import { TestWebhook } from '../webhooks/use-cases/test-webhook.js';
import { UpdateWebhook } from '../webhooks/use-cases/update-webhook.js';
import * as ports from './tokens.js';

/** The use cases of webhooks. */
export const webhookUseCases = new ContainerModule((options) => {
  bindWebhooks(options);
});

function bindWebhooks({ bind }: ContainerModuleLoadOptions): void {
  bind(CreateWebhook).toResolvedValue(
    (store, guard) => new CreateWebhook(store, guard),
    [ports.WebhookStore, ports.TargetGuard],
  );
  bind(GetWebhook).toResolvedValue((store) => new GetWebhook(store), [ports.WebhookStore]);
  bind(ListWebhooks).toResolvedValue(
    (lists, store) => new ListWebhooks(lists, store),
    [ports.WebhookLists, ports.WebhookStore],
  );
  bind(UpdateWebhook).toResolvedValue(
    (store, guard) => new UpdateWebhook(store, guard),
    [ports.WebhookStore, ports.TargetGuard],
  );
  bind(DeleteWebhook).toResolvedValue((store) => new DeleteWebhook(store), [ports.WebhookStore]);
  bind(RotateSecret).toResolvedValue((store) => new RotateSecret(store), [ports.WebhookStore]);
  bind(TestWebhook).toResolvedValue(
    (store, tester) => new TestWebhook(store, tester),
    [ports.WebhookStore, ports.WebhookTester],
  );
  bind(RetryWebhookDelivery).toResolvedValue(
    (store, deliveries) => new RetryWebhookDelivery(store, deliveries),
    [ports.WebhookStore, ports.WebhookDeliveryStore],
  );
  bind(ReadWebhookAnswers).toResolvedValue(
    (store, deliveries) => new ReadWebhookAnswers(store, deliveries),
    [ports.WebhookStore, ports.WebhookDeliveryStore],
  );
  bind(RecoverWebhookDeliveries).toResolvedValue(
    (store, deliveries) => new RecoverWebhookDeliveries(store, deliveries, () => clock.date()),
    [ports.WebhookStore, ports.WebhookDeliveryStore],
  );
}
