import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('inbox.viewers', {
  en: { viewing: '{count, plural, one {{names} has} other {{names} have}} this conversation open' },
  es: { viewing: '{count, plural, one {{names} tiene} other {{names} tienen}} abierta esta conversación' },
  zh: { viewing: '{names} 正在查看此会话' },
});
