import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.markdown', {
  en: {
    name: 'Markdown',
    help: 'Ctrl or ⌘ with B, I, E and K makes the selection bold, italic, code and a link.',
    offHelp: 'The text is sent as it is written.',
    bold: 'Bold',
    italic: 'Italic',
    code: 'Code',
    link: 'Link',
  },
  es: {
    name: 'Markdown',
    help: 'Ctrl o ⌘ con B, I, E y K pone la selección en negrita, cursiva, código y enlace.',
    offHelp: 'El texto se envía como está escrito.',
    bold: 'Negrita',
    italic: 'Cursiva',
    code: 'Código',
    link: 'Enlace',
  },
  zh: {
    name: 'Markdown',
    help: 'Ctrl 或 ⌘ 加 B、I、E、K 将所选文字设为粗体、斜体、代码和链接。',
    offHelp: '文字按原样发送。',
    bold: '粗体',
    italic: '斜体',
    code: '代码',
    link: '链接',
  },
});
