import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('recover', {
  en: {
    title: 'Deliver what failed again?',
    help: 'Every event that was given up since this time is delivered again. Deliveries are kept for 30 days.',
    since: 'Failed since',
    hour: 'The last hour',
    day: 'The last 24 hours',
    week: 'The last 7 days',
    chosen: 'A chosen time',
    from: 'Time',
    invalid: 'Choose a time of the last 30 days.',
    action: 'Recover',
    cancel: 'Cancel',
    recovered:
      '{count, plural, =0 {No delivery failed since then} one {# delivery is on its way again} other {# deliveries are on their way again}}',
  },
  es: {
    title: '¿Entregar de nuevo lo que falló?',
    help: 'Se entrega de nuevo cada evento que se dio por perdido desde ese momento. Las entregas se guardan 30 días.',
    since: 'Fallidos desde',
    hour: 'La última hora',
    day: 'Las últimas 24 horas',
    week: 'Los últimos 7 días',
    chosen: 'Un momento elegido',
    from: 'Momento',
    invalid: 'Elija un momento de los últimos 30 días.',
    action: 'Recuperar',
    cancel: 'Cancelar',
    recovered:
      '{count, plural, =0 {No falló ninguna entrega desde entonces} one {# entrega está de nuevo en camino} other {# entregas están de nuevo en camino}}',
  },
  zh: {
    title: '重新投递失败的事件？',
    help: '自该时间起放弃的每个事件都会重新投递。投递记录保留 30 天。',
    since: '失败起始',
    hour: '最近 1 小时',
    day: '最近 24 小时',
    week: '最近 7 天',
    chosen: '选择时间',
    from: '时间',
    invalid: '请选择最近 30 天内的时间。',
    action: '恢复',
    cancel: '取消',
    recovered: '{count, plural, =0 {此后没有失败的投递} other {# 次投递正在重新进行}}',
  },
});
