import { z } from 'zod';
import { webhookAnswerRecord } from '../../../core/webhooks/record.js';
import type { ReadWebhookAnswers } from '../../../core/webhooks/use-cases/read-answers.js';
import { type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

/** Responses of webhook receivers. */
export function webhookAnswerRoutes(answers: ReadWebhookAnswers): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/webhook-deliveries/{id}/answers',
      summary: 'Get the beginning of what the receiver answered to each attempt of the last 7 days',
      wholeWorkspace: true,
      params: idParams,
      success: 200,
      response: z.object({ data: z.array(webhookAnswerRecord) }),
      handler: async ({ caller, params }) => ({ data: await answers.execute(caller, params.id) }),
    }),
  ];
}
