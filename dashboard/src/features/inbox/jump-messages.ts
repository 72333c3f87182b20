import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('inbox.jump', {
  en: {
    newest: 'Go to the newest message',
    deleted: 'Deleted message',
  },
  es: {
    newest: 'Ir al mensaje más reciente',
    deleted: 'Mensaje eliminado',
  },
  zh: {
    newest: '跳到最新消息',
    deleted: '已删除的消息',
  },
});
