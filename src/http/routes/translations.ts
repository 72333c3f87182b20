import { translateBody, translationRecord } from '../../core/translations/record.js';
import type { Translate } from '../../core/translations/translate.js';
import { type Route, route } from '../route.js';

export function translationRoutes(translate: Translate): Route[] {
  return [
    route({
      method: 'POST',
      path: '/openapi/translations',
      summary: 'Translate a text or a message',
      tag: 'Translations',
      scopes: ['translation:write'],
      oauth: null,
      body: translateBody,
      success: 200,
      response: translationRecord,
      handler: ({ caller, body }) => translate.execute(caller, body),
    }),
  ];
}
