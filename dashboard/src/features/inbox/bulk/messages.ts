import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.bulk', {
  en: {
    select: 'Select {name}',
    selected: '{count, plural, one {# selected} other {# selected}}',
    clear: 'Clear the selection',
    resolve: 'Resolve',
    assign: 'Assign to me',
    snooze: 'Snooze until tomorrow, 9:00',
    didResolve: '{count, plural, one {# conversation resolved} other {# conversations resolved}}',
    didAssign:
      '{count, plural, one {# conversation assigned to you} other {# conversations assigned to you}}',
    didSnooze:
      '{count, plural, one {# conversation snoozed until tomorrow, 9:00} other {# conversations snoozed until tomorrow, 9:00}}',
  },
  es: {
    select: 'Seleccionar {name}',
    selected: '{count, plural, one {# seleccionada} other {# seleccionadas}}',
    clear: 'Quitar la selección',
    resolve: 'Resolver',
    assign: 'Asignarme',
    snooze: 'Posponer hasta mañana, 9:00',
    didResolve: '{count, plural, one {# conversación resuelta} other {# conversaciones resueltas}}',
    didAssign:
      '{count, plural, one {# conversación asignada a usted} other {# conversaciones asignadas a usted}}',
    didSnooze:
      '{count, plural, one {# conversación pospuesta hasta mañana, 9:00} other {# conversaciones pospuestas hasta mañana, 9:00}}',
  },
  zh: {
    select: '选择 {name}',
    selected: '已选 {count} 个',
    clear: '清除选择',
    resolve: '解决',
    assign: '分配给我',
    snooze: '推迟到明天 9:00',
    didResolve: '已解决 {count} 个会话',
    didAssign: '已将 {count} 个会话分配给您',
    didSnooze: '已将 {count} 个会话推迟到明天 9:00',
  },
});
