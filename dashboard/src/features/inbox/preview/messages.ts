import { defineMessages } from '../../../i18n/messages';

export const messages = defineMessages('inbox.preview', {
  en: {
    title: 'What each platform gets',
    parts: '{count, plural, one {# message} other {# messages}}',
    segments: '{count, plural, one {# segment} other {# segments}}',
    refused: 'cannot be sent',
    refusedMark: 'One platform refuses this message',
    lostMark: 'One platform cannot show all of it',
    ucs2: 'Sent as UCS-2, which costs more segments, because of: {characters}',
    estimate: 'An estimate: the connection is not running.',
  },
  es: {
    title: 'Lo que recibe cada plataforma',
    parts: '{count, plural, one {# mensaje} other {# mensajes}}',
    segments: '{count, plural, one {# segmento} other {# segmentos}}',
    refused: 'no se puede enviar',
    refusedMark: 'Una plataforma rechaza este mensaje',
    lostMark: 'Una plataforma no puede mostrarlo todo',
    ucs2: 'Se envía como UCS-2, que ocupa más segmentos, por: {characters}',
    estimate: 'Una estimación: la conexión no está en marcha.',
  },
  zh: {
    title: '各平台收到的内容',
    parts: '{count} 条消息',
    segments: '{count} 个短信分段',
    refused: '无法发送',
    refusedMark: '有平台拒绝此消息',
    lostMark: '有平台无法完整显示',
    ucs2: '因为这些字符，将以占用更多分段的 UCS-2 发送：{characters}',
    estimate: '这是估计值：连接未在运行。',
  },
});
