import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('retention', {
  en: {
    title: 'Retention',
    help: 'How long this workspace keeps what was written.',
    days: 'Keep messages for this many days',
    daysHelp: 'Empty keeps them until they are deleted, or as long as the installation does.',
    invalid: 'Enter a whole number from 1 to 36500, or nothing.',
    ceiling:
      'The installation deletes messages after {days, plural, one {# day} other {# days}}. A longer time here has no effect.',
    others:
      'Raw data of platforms is kept for {envelopes} days, delivery attempts for {attempts} and events for {events}. The installation sets these.',
    confirmTitle: 'Delete messages after {days, plural, one {# day} other {# days}}?',
    consequences:
      'Messages that are older are deleted within minutes, with attachments, reactions and delivery states, in every conversation. They stay on the platforms. Messages that still wait to be sent stay. This cannot be undone.',
    confirm: 'Delete older messages',
    forever: 'Messages are no longer deleted by age in this workspace',
    saved: 'Messages are deleted after {days, plural, one {# day} other {# days}}',
    cancel: 'Cancel',
    save: 'Set retention',
  },
  es: {
    title: 'Conservación',
    help: 'Cuánto tiempo conserva este espacio lo que se escribió.',
    days: 'Días que se conservan los mensajes',
    daysHelp: 'Vacío: hasta que se borren, o el tiempo de la instalación.',
    invalid: 'Escriba un número entero de 1 a 36500, o nada.',
    ceiling:
      'La instalación borra los mensajes tras {days, plural, one {# día} other {# días}}. Un plazo mayor aquí no tiene efecto.',
    others:
      'Los datos originales de las plataformas se conservan {envelopes} días, los intentos de entrega {attempts} y los eventos {events}. Lo decide la instalación.',
    confirmTitle: '¿Borrar los mensajes tras {days, plural, one {# día} other {# días}}?',
    consequences:
      'Los mensajes más antiguos se borran en minutos, con adjuntos, reacciones y estados de entrega, en todas las conversaciones. Permanecen en las plataformas. Los que esperan su envío se conservan. No se puede deshacer.',
    confirm: 'Borrar los más antiguos',
    forever: 'Los mensajes ya no se borran por antigüedad en este espacio',
    saved: 'Los mensajes se borran tras {days, plural, one {# día} other {# días}}',
    cancel: 'Cancelar',
    save: 'Fijar el plazo',
  },
  zh: {
    title: '保留期限',
    help: '此工作区保留消息多长时间。',
    days: '消息保留天数',
    daysHelp: '留空则保留到被删除为止，或按安装的设置保留。',
    invalid: '请输入 1 到 36500 的整数，或留空。',
    ceiling: '此安装在 {days} 天后删除消息。此处更长的期限无效。',
    others:
      '平台原始数据保留 {envelopes} 天，投递尝试保留 {attempts} 天，事件保留 {events} 天。由安装设置决定。',
    confirmTitle: '在 {days} 天后删除消息？',
    consequences:
      '所有会话中更早的消息将在几分钟内被删除，包括附件、回应和投递状态。消息仍保留在各平台上。等待发送的消息会保留。此操作无法撤销。',
    confirm: '删除更早的消息',
    forever: '此工作区不再按时间删除消息',
    saved: '消息将在 {days} 天后删除',
    cancel: '取消',
    save: '设置保留时间',
  },
});
