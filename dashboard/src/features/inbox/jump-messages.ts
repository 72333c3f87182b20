import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('inbox.jump', {
  en: {
    newest: 'Go to the newest message',
    deleted: 'Deleted message',
    typing: '{count, plural, one {{names} is typing…} other {{names} are typing…}}',
    next: 'Next conversation',
    previous: 'Previous conversation',
  },
  es: {
    newest: 'Ir al mensaje más reciente',
    deleted: 'Mensaje eliminado',
    typing: '{count, plural, one {{names} está escribiendo…} other {{names} están escribiendo…}}',
    next: 'Conversación siguiente',
    previous: 'Conversación anterior',
  },
  zh: {
    newest: '跳到最新消息',
    deleted: '已删除的消息',
    typing: '{names} 正在输入…',
    next: '下一个会话',
    previous: '上一个会话',
  },
});
