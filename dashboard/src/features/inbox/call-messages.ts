import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('inbox-calls', {
  en: { call: 'Call', voiceCall: 'Voice call', videoCall: 'Video call' },
  es: { call: 'Llamar', voiceCall: 'Llamada de voz', videoCall: 'Videollamada' },
  zh: { call: '呼叫', voiceCall: '语音通话', videoCall: '视频通话' },
});
