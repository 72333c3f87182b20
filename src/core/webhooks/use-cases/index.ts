export { CreateWebhook } from './create-webhook.js';
export { DeleteWebhook } from './delete-webhook.js';
export { GetWebhook } from './get-webhook.js';
export { RecoverWebhookDeliveries } from './recover-deliveries.js';
export { RetryWebhookDelivery } from './retry-delivery.js';
export { RotateSecret } from './rotate-secret.js';
export { TestWebhook } from './test-webhook.js';
export { UpdateWebhook } from './update-webhook.js';
