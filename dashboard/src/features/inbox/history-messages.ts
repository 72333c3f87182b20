import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('inbox.history', {
  en: {
    edited: 'edited',
    title: 'Former versions',
    none: 'Only attachments or formatting changed.',
  },
  es: {
    edited: 'editado',
    title: 'Versiones anteriores',
    none: 'Solo cambiaron los archivos o el formato.',
  },
  zh: {
    edited: '已编辑',
    title: '以前的版本',
    none: '只更改了附件或格式。',
  },
});
