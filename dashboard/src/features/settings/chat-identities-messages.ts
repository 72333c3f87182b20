import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('chat-identities', {
  en: {
    title: 'Accounts in the staff chat',
    help: 'With these accounts you approve and refuse drafts of agents by a button in the staff chat, as in the inbox.',
    none: 'No account is linked.',
    getCode: 'Link an account',
    code: 'Write this in the staff chat',
    codeHelp:
      'It links the account that writes it, once, until {time}. In Slack, leave out the slash. Reload this page afterwards.',
    linked: 'linked {time}',
    unlink: 'Unlink',
    unlinkOf: 'Unlink {name}',
    wasUnlinked: '{name} was unlinked',
  },
  es: {
    title: 'Cuentas en el chat del equipo',
    help: 'Con estas cuentas aprueba y rechaza borradores de agentes con un botón en el chat del equipo, como en la bandeja.',
    none: 'No hay ninguna cuenta vinculada.',
    getCode: 'Vincular una cuenta',
    code: 'Escriba esto en el chat del equipo',
    codeHelp:
      'Vincula una sola vez la cuenta que lo escribe, hasta {time}. En Slack, omita la barra. Después recargue esta página.',
    linked: 'vinculada {time}',
    unlink: 'Desvincular',
    unlinkOf: 'Desvincular {name}',
    wasUnlinked: '{name} se desvinculó',
  },
  zh: {
    title: '团队聊天中的账号',
    help: '使用这些账号，您可以在团队聊天中通过按钮批准或拒绝智能体的草稿，与收件箱中相同。',
    none: '没有关联的账号。',
    getCode: '关联账号',
    code: '在团队聊天中发送以下内容',
    codeHelp:
      '它会关联发送它的账号，仅限一次，有效期至 {time}。在 Slack 中请省略斜杠。之后请重新加载此页面。',
    linked: '关联于 {time}',
    unlink: '取消关联',
    unlinkOf: '取消关联 {name}',
    wasUnlinked: '已取消关联 {name}',
  },
});
