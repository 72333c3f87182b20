import type { Caller } from '../../core/access/caller.js';
import { AppError } from '../../core/common/errors.js';
import { messageRecord } from '../../core/messages/record.js';
import { sandboxInboundBody } from '../../core/sandbox/bodies.js';
import type { ReceiveSandboxMessage } from '../../core/sandbox/receive-message.js';
import { type Route, route } from '../route.js';

export function sandboxRoutes(receive: ReceiveSandboxMessage): Route[] {
  return [
    route({
      method: 'POST',
      path: '/openapi/sandbox/inbound',
      summary: 'Write a message as the person at a sandbox address',
      tag: 'Sandbox',
      scopes: inTestOnly,
      oauth: null,
      body: sandboxInboundBody,
      success: 201,
      response: messageRecord,
      found: messageRecord,
      handler: async ({ caller, body, resourceId }) => {
        const { record, created } = await receive.execute(caller, body, resourceId);
        return { status: created ? 201 : 200, record };
      },
    }),
  ];
}

/** For a live key, this path does not exist. */
function inTestOnly({ environment }: Caller) {
  if (environment === 'test') return ['platforms:write'] as const;
  throw new AppError('not_found', 'There is nothing at this path and method.');
}
