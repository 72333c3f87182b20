import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('broadcasts.variants', {
  en: {
    title: 'Variants',
    help: 'Several texts, of which each recipient gets one, chosen by weight.',
    withFiles:
      'A program gave the variants files of their own. They are kept, and are changed through the API.',
    add: 'Add a variant',
    variant: 'Variant {key}',
    textOf: 'Text of variant {key}',
    textHelp: 'Empty: the text of the broadcast.',
    weightOf: 'Weight of variant {key}',
    share: 'About {share, number} % of the recipients. 1 to 100.',
    remove: 'Remove variant {key}',
  },
  es: {
    title: 'Variantes',
    help: 'Varios textos, de los que cada destinatario recibe uno según su peso.',
    withFiles: 'Un programa dio archivos propios a las variantes. Se conservan y se cambian por la API.',
    add: 'Añadir una variante',
    variant: 'Variante {key}',
    textOf: 'Texto de la variante {key}',
    textHelp: 'Vacío: el texto de la difusión.',
    weightOf: 'Peso de la variante {key}',
    share: 'Un {share, number} % de los destinatarios. De 1 a 100.',
    remove: 'Quitar la variante {key}',
  },
  zh: {
    title: '变体',
    help: '多个文本，每位收件人按权重收到其中一个。',
    withFiles: '程序为变体提供了各自的文件。它们会保留，可通过 API 更改。',
    add: '添加变体',
    variant: '变体 {key}',
    textOf: '变体 {key} 的文本',
    textHelp: '留空：使用群发的文本。',
    weightOf: '变体 {key} 的权重',
    share: '约 {share, number}% 的收件人。1 到 100。',
    remove: '移除变体 {key}',
  },
});
