import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('inbox.keys', {
  en: {
    chosenMessage: 'Chosen message',
    choose: 'Choose a message',
    react: 'React with the first to fifth emoji of its menu',
    copy: 'Copy text',
    copied: 'Text copied',
    leave: 'Leave the message',
    text: 'Text',
    leaveField: 'Leave the text field',
  },
  es: {
    chosenMessage: 'Mensaje elegido',
    choose: 'Elegir un mensaje',
    react: 'Reaccionar con uno de los cinco emojis de su menú',
    copy: 'Copiar el texto',
    copied: 'Texto copiado',
    leave: 'Salir del mensaje',
    text: 'Texto',
    leaveField: 'Salir del campo de texto',
  },
  zh: {
    chosenMessage: '选中的消息',
    choose: '选择一条消息',
    react: '用其菜单中的第一至第五个表情回应',
    copy: '复制文本',
    copied: '文本已复制',
    leave: '离开该消息',
    text: '文本',
    leaveField: '离开输入框',
  },
});
