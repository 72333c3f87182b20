import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.drafts', {
  en: {
    other: 'You wrote something else here in another browser:',
    useOther: 'Use that text',
    keepOwn: 'Keep this text',
  },
  es: {
    other: 'Escribió otra cosa aquí en otro navegador:',
    useOther: 'Usar ese texto',
    keepOwn: 'Conservar este texto',
  },
  zh: {
    other: '您在另一个浏览器中写了不同的内容：',
    useOther: '使用那段文字',
    keepOwn: '保留这段文字',
  },
});
