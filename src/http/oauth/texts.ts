import type { OAuthScope } from '../../core/access/scopes.js';
import type { PageLanguage } from '../pages/language.js';

/** Texts of the consent pages. `{app}`, `{owner}`, `{workspace}` and `{address}` are placeholders. */
interface ConsentTexts {
  readonly title: string;
  readonly asks: string;
  readonly leadsTo: string;
  readonly allow: string;
  readonly deny: string;
  /** The meaning of each scope for the user who is asked. */
  readonly scopes: Readonly<Record<OAuthScope, string>>;
  readonly deadLink: string;
  readonly unknownApp: string;
  readonly unknownAddress: string;
  readonly notAccepted: string;
  readonly otherSession: string;
  readonly oneMoment: string;
}

const english: ConsentTexts = {
  title: 'Allow access?',
  asks: '{app}, registered by {owner} in {workspace}, asks to act for you:',
  leadsTo: 'You will be sent to {address}.',
  allow: 'Allow',
  deny: 'Deny',
  scopes: {
    'user.read': 'Read your profile and those of people you have conversations with',
    'messages.read': 'Read your conversations and messages',
    'messages.write': 'Send messages as you, and edit and delete messages you sent',
    'calls.read': 'Read your call history',
    'calls.write': 'Start and end calls as you',
  },
  deadLink: 'This link does not work',
  unknownApp: 'The app that sent you here is not registered.',
  unknownAddress: 'The app that sent you here gave an address that is not registered for it.',
  notAccepted: 'This answer was not accepted',
  otherSession: 'It did not come from this session. Go back to the app and start again.',
  oneMoment: 'One moment',
};

const spanish: ConsentTexts = {
  title: '¿Permitir el acceso?',
  asks: '{app}, registrada por {owner} en {workspace}, pide actuar por usted:',
  leadsTo: 'Después irá a {address}.',
  allow: 'Permitir',
  deny: 'Denegar',
  scopes: {
    'user.read': 'Leer su perfil y los de las personas con las que tiene conversaciones',
    'messages.read': 'Leer sus conversaciones y mensajes',
    'messages.write': 'Enviar mensajes en su nombre, y editar y eliminar los que usted envió',
    'calls.read': 'Leer su historial de llamadas',
    'calls.write': 'Iniciar y terminar llamadas en su nombre',
  },
  deadLink: 'Este enlace no funciona',
  unknownApp: 'La aplicación que le envió aquí no está registrada.',
  unknownAddress: 'La aplicación que le envió aquí indicó una dirección que no está registrada para ella.',
  notAccepted: 'No se aceptó esta respuesta',
  otherSession: 'No procede de esta sesión. Vuelva a la aplicación y empiece de nuevo.',
  oneMoment: 'Un momento',
};

const chinese: ConsentTexts = {
  title: '允许访问？',
  asks: '{app}（由 {owner} 在 {workspace} 中注册）请求代您操作：',
  leadsTo: '随后您将前往 {address}。',
  allow: '允许',
  deny: '拒绝',
  scopes: {
    'user.read': '读取您的个人资料，以及与您有对话的人的个人资料',
    'messages.read': '读取您的对话和消息',
    'messages.write': '以您的身份发送消息，编辑和删除您发送的消息',
    'calls.read': '读取您的通话记录',
    'calls.write': '以您的身份发起和结束通话',
  },
  deadLink: '此链接无效',
  unknownApp: '将您带到此处的应用未注册。',
  unknownAddress: '将您带到此处的应用提供的地址未为其注册。',
  notAccepted: '此响应未被接受',
  otherSession: '它并非来自此会话。请返回应用并重新开始。',
  oneMoment: '请稍候',
};

export const CONSENT_TEXTS: Readonly<Record<PageLanguage, ConsentTexts>> = {
  en: english,
  es: spanish,
  zh: chinese,
};
