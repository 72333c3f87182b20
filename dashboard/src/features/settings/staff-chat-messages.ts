import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('staff-chat', {
  en: {
    title: 'Alerts in a chat',
    help: 'Connections in error and disabled webhooks are reported in one conversation. Everyone in its chats reads the alerts: do not choose a conversation with customers.',
    field: 'Address of the conversation',
    fieldHelp:
      'Open the conversation in the inbox and copy its address from the browser. Empty sends no alerts.',
    approvals:
      'Also show drafts of agents, with buttons in Telegram and Slack. Everyone in the chat reads the drafts.',
    invalid: 'Enter the address of a conversation, or nothing.',
    chosen: 'Alerts are sent to: {title}',
    untitled: 'a conversation without a title',
    none: 'Alerts are sent to no chat.',
    saved: 'The chat for alerts was saved',
    save: 'Set chat for alerts',
  },
  es: {
    title: 'Avisos en un chat',
    help: 'Las conexiones con errores y los webhooks desactivados se comunican en una conversación. Todos sus participantes leen los avisos: no elija una conversación con clientes.',
    field: 'Dirección de la conversación',
    fieldHelp:
      'Abra la conversación en la bandeja y copie su dirección del navegador. Vacío: no se envían avisos.',
    approvals:
      'Mostrar también borradores de agentes, con botones en Telegram y Slack. Todos en el chat leen los borradores.',
    invalid: 'Escriba la dirección de una conversación, o nada.',
    chosen: 'Los avisos se envían a: {title}',
    untitled: 'una conversación sin título',
    none: 'Los avisos no se envían a ningún chat.',
    saved: 'Se guardó el chat de avisos',
    save: 'Fijar el chat de avisos',
  },
  zh: {
    title: '聊天中的警报',
    help: '连接出错和 webhook 被停用时，会在一个会话中通知。该会话的所有聊天成员都能看到警报：请勿选择有客户的会话。',
    field: '会话的地址',
    fieldHelp: '在收件箱中打开会话，并从浏览器复制其地址。留空则不发送警报。',
    approvals: '同时显示智能体的草稿，在 Telegram 和 Slack 中带有按钮。聊天中的所有人都能看到草稿。',
    invalid: '请输入会话的地址，或留空。',
    chosen: '警报发送到：{title}',
    untitled: '无标题的会话',
    none: '警报不发送到任何聊天。',
    saved: '警报的聊天已保存',
    save: '设置警报的聊天',
  },
});
