import { requireAccess } from '../../../core/access/authorize.js';
import { translateBody, translationRecord } from '../../../core/extras/translations/record.js';
import type { Translate } from '../../../core/extras/translations/translate.js';
import { type Route, route } from '../../route.js';

export function translationRoutes(translate: Translate): Route[] {
  return [
    route({
      method: 'POST',
      path: '/openapi/translations',
      summary: 'Translate a text or a message',
      tag: 'Translations',
      scopes: ['translation:write'],
      oauth: null,
      // The text of a message requires the scope that allows reading messages.
      admits: async (caller, _path, sent) => {
        const { message_id: messageId } = await sent();
        if (messageId !== undefined && messageId !== null)
          requireAccess(caller, ['translation:write', 'messages:read'], null);
      },
      body: translateBody,
      success: 200,
      response: translationRecord,
      handler: ({ caller, body }) => translate.execute(caller, body),
    }),
  ];
}
