import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.person', {
  en: {
    blocked: 'Blocked: nothing is sent to this contact',
    unreachable: 'Not reachable on {platform}',
    optedOutOfMarketing: '{platform}: opted out of marketing',
    optedOutOfNotifications: '{platform}: opted out of notifications',
    localTime: '{time} in {zone}',
  },
  es: {
    blocked: 'Bloqueado: no se le envía nada',
    unreachable: 'No alcanzable por {platform}',
    optedOutOfMarketing: '{platform}: baja de marketing',
    optedOutOfNotifications: '{platform}: baja de notificaciones',
    localTime: '{time} en {zone}',
  },
  zh: {
    blocked: '已屏蔽：不会向此联系人发送任何内容',
    unreachable: '无法通过 {platform} 联系',
    optedOutOfMarketing: '{platform}：已退订营销消息',
    optedOutOfNotifications: '{platform}：已退订通知',
    localTime: '{zone} 当地时间 {time}',
  },
});
