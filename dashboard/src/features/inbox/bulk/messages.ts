import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.bulk', {
  en: {
    select: 'Select {name}',
    selected: '{count, plural, one {# selected} other {# selected}}',
    clear: 'Clear the selection',
    resolve: 'Resolve',
    assign: 'Assign to me',
    didResolve: '{count, plural, one {# conversation resolved} other {# conversations resolved}}',
    didAssign:
      '{count, plural, one {# conversation assigned to you} other {# conversations assigned to you}}',
    didSnooze:
      '{count, plural, one {# conversation snoozed until {time}} other {# conversations snoozed until {time}}}',
  },
  es: {
    select: 'Seleccionar {name}',
    selected: '{count, plural, one {# seleccionada} other {# seleccionadas}}',
    clear: 'Quitar la selección',
    resolve: 'Resolver',
    assign: 'Asignarme',
    didResolve: '{count, plural, one {# conversación resuelta} other {# conversaciones resueltas}}',
    didAssign:
      '{count, plural, one {# conversación asignada a usted} other {# conversaciones asignadas a usted}}',
    didSnooze:
      '{count, plural, one {# conversación pospuesta hasta el {time}} other {# conversaciones pospuestas hasta el {time}}}',
  },
  zh: {
    select: '选择 {name}',
    selected: '已选 {count} 个',
    clear: '清除选择',
    resolve: '解决',
    assign: '分配给我',
    didResolve: '已解决 {count} 个会话',
    didAssign: '已将 {count} 个会话分配给您',
    didSnooze: '已将 {count} 个会话暂缓至 {time}',
  },
});
