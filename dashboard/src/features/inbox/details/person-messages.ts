import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.person', {
  en: {
    blocked: 'Blocked: gets no messages',
    unreachable: 'Not reachable on {platform}',
    optedOutOfMarketing: '{platform}: refuses marketing',
    optedOutOfNotifications: '{platform}: refuses notifications',
    localTime: '{time} in {zone}',
  },
  es: {
    blocked: 'Bloqueado: no recibe mensajes',
    unreachable: 'No alcanzable por {platform}',
    optedOutOfMarketing: '{platform}: rechaza marketing',
    optedOutOfNotifications: '{platform}: rechaza notificaciones',
    localTime: '{time} en {zone}',
  },
  zh: {
    blocked: '已屏蔽：不会收到消息',
    unreachable: '无法通过 {platform} 联系',
    optedOutOfMarketing: '{platform}：已退订营销消息',
    optedOutOfNotifications: '{platform}：已退订通知',
    localTime: '{zone} 当地时间 {time}',
  },
});
