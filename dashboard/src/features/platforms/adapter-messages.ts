/** Translations of the texts in the schemas of bundled adapters, by the English text. */
export const TRANSLATIONS: Readonly<Record<'es' | 'zh', Readonly<Record<string, string>>>> = {
  es: {
    'Address of the platform': 'Dirección de la plataforma',
    'Change it for a self-hosted server or a simulator.': 'Cámbiela para un servidor propio o un simulador.',
    'How events arrive': 'Cómo llegan los eventos',
    'The platform calls a webhook': 'La plataforma llama a un webhook',
    'The service polls the platform': 'El servicio consulta la plataforma',
    'The service keeps a gateway open': 'El servicio mantiene abierta una conexión (gateway)',
    'When it is unknown whether a message was sent': 'Cuando no se sabe si un mensaje se envió',
    'Sending again can deliver a message twice.': 'Al volver a enviarlo, un mensaje puede llegar dos veces.',
    'Ask the platform': 'Preguntar a la plataforma',
    'Leave it to a person': 'Dejar que decida una persona',
    'Send again': 'Volver a enviarlo',
    'When a person writes in a chat that is not linked': 'Cuando alguien escribe en un chat sin vincular',
    'Create a conversation': 'Crear una conversación',
    'Ignore the message': 'Ignorar el mensaje',
    'Messages of other bots': 'Mensajes de otros bots',
    'Without a choice they are recorded.': 'Si no se elige nada, se registran.',
    'Record them': 'Registrarlos',
    'Record them and pass them on to linked chats': 'Registrarlos y pasarlos a los chats vinculados',
    'Messages per second': 'Mensajes por segundo',
    'How many messages the account may send; 0 means unlimited.':
      'Cuántos mensajes puede enviar la cuenta; 0 significa sin límite.',
    'Limits of each chat': 'Límites de cada chat',
    'Wait for the documented limits': 'Respetar los límites documentados',
    'Wait only when the platform asks for it': 'Esperar solo cuando la plataforma lo pida',
    'Bot token': 'Token del bot',
    'Token of the bot. @BotFather shows it after /newbot, or after /token for an existing bot.':
      'Token del bot. @BotFather lo muestra después de /newbot, o de /token si el bot ya existe.',
    'Webhook secret': 'Secreto del webhook',
    'Secret that Telegram sends with each webhook. Leave it empty to have one generated.':
      'Secreto que Telegram envía con cada webhook. Si lo deja vacío, se genera uno.',
    'Token of the bot: Developer Portal, your application, Bot, Reset Token. Turn on the Message Content intent there.':
      'Token del bot: Developer Portal, su aplicación, Bot, Reset Token. Active allí «Message Content Intent».',
    'Public key': 'Clave pública',
    'Public key of the application (Developer Portal, General Information); needed for buttons that people press.':
      'Clave pública de la aplicación (Developer Portal, General Information); se necesita para los botones que pulsan las personas.',
    'Bot User OAuth Token, which starts with xoxb-: your app, OAuth & Permissions.':
      'Bot User OAuth Token, que empieza por xoxb-: su aplicación, OAuth & Permissions.',
    'Signing secret': 'Secreto de firma',
    'Signing Secret: your app, Basic Information. Needed when events come by webhook.':
      'Signing Secret: su aplicación, Basic Information. Se necesita cuando los eventos llegan por webhook.',
    'App token': 'Token de la aplicación',
    'App-level token with the scope connections:write, which starts with xapp-: your app, Basic Information. Needed when events come by gateway (Socket Mode).':
      'Token de aplicación con el permiso connections:write, que empieza por xapp-: su aplicación, Basic Information. Se necesita cuando los eventos llegan por gateway (Socket Mode).',
    'Account SID': 'SID de la cuenta',
    'Account SID, on the first page of the Twilio Console; starts with AC.':
      'Account SID, en la primera página de Twilio Console; empieza por AC.',
    'Auth token': 'Token de autenticación',
    'Auth Token, below the Account SID in the Twilio Console.':
      'Auth Token, debajo del Account SID en Twilio Console.',
    Sender: 'Remitente',
    'Number or sender name that messages come from, such as +15005550006. Give this or a messaging service.':
      'Número o nombre desde el que se envían los mensajes, como +15005550006. Indique este o un servicio de mensajería.',
    'Messaging service SID': 'SID del servicio de mensajería',
    'Messaging Service SID, which starts with MG; Twilio then chooses the number.':
      'Messaging Service SID, que empieza por MG; Twilio elige entonces el número.',
  },
  zh: {
    'Address of the platform': '平台地址',
    'Change it for a self-hosted server or a simulator.': '使用自托管服务器或模拟器时更改。',
    'How events arrive': '事件的接收方式',
    'The platform calls a webhook': '平台调用 Webhook',
    'The service polls the platform': '服务轮询平台',
    'The service keeps a gateway open': '服务保持网关连接',
    'When it is unknown whether a message was sent': '无法确定消息是否已发送时',
    'Sending again can deliver a message twice.': '重新发送可能使消息送达两次。',
    'Ask the platform': '向平台查询',
    'Leave it to a person': '交由人工处理',
    'Send again': '重新发送',
    'When a person writes in a chat that is not linked': '有人在未关联的聊天中发消息时',
    'Create a conversation': '创建会话',
    'Ignore the message': '忽略该消息',
    'Messages of other bots': '其他机器人的消息',
    'Without a choice they are recorded.': '不选择时会记录它们。',
    'Record them': '记录',
    'Record them and pass them on to linked chats': '记录并转发到关联的聊天',
    'Messages per second': '每秒消息数',
    'How many messages the account may send; 0 means unlimited.': '账号每秒可发送的消息数；0 表示不限。',
    'Limits of each chat': '每个聊天的限制',
    'Wait for the documented limits': '遵守平台公布的限制',
    'Wait only when the platform asks for it': '仅在平台要求时等待',
    'Bot token': '机器人令牌',
    'Token of the bot. @BotFather shows it after /newbot, or after /token for an existing bot.':
      '机器人的令牌。@BotFather 在 /newbot 之后显示；已有的机器人用 /token。',
    'Webhook secret': 'Webhook 密钥',
    'Secret that Telegram sends with each webhook. Leave it empty to have one generated.':
      'Telegram 随每个 Webhook 发送的密钥。留空则自动生成。',
    'Token of the bot: Developer Portal, your application, Bot, Reset Token. Turn on the Message Content intent there.':
      '机器人的令牌：Developer Portal、您的应用、Bot、Reset Token。请在那里开启 Message Content Intent。',
    'Public key': '公钥',
    'Public key of the application (Developer Portal, General Information); needed for buttons that people press.':
      '应用的公钥（Developer Portal、General Information）；供人点击的按钮需要它。',
    'Bot User OAuth Token, which starts with xoxb-: your app, OAuth & Permissions.':
      '以 xoxb- 开头的 Bot User OAuth Token：您的应用、OAuth & Permissions。',
    'Signing secret': '签名密钥',
    'Signing Secret: your app, Basic Information. Needed when events come by webhook.':
      'Signing Secret：您的应用、Basic Information。通过 Webhook 接收事件时需要。',
    'App token': '应用令牌',
    'App-level token with the scope connections:write, which starts with xapp-: your app, Basic Information. Needed when events come by gateway (Socket Mode).':
      '以 xapp- 开头、具有 connections:write 权限的应用级令牌：您的应用、Basic Information。通过网关（Socket Mode）接收事件时需要。',
    'Account SID': '账号 SID',
    'Account SID, on the first page of the Twilio Console; starts with AC.':
      'Account SID，在 Twilio Console 首页；以 AC 开头。',
    'Auth token': '认证令牌',
    'Auth Token, below the Account SID in the Twilio Console.':
      'Auth Token，在 Twilio Console 中 Account SID 的下方。',
    Sender: '发送方',
    'Number or sender name that messages come from, such as +15005550006. Give this or a messaging service.':
      '发送消息所用的号码或名称，例如 +15005550006。填写此项或消息服务之一。',
    'Messaging service SID': '消息服务 SID',
    'Messaging Service SID, which starts with MG; Twilio then chooses the number.':
      '以 MG 开头的 Messaging Service SID；号码由 Twilio 选择。',
  },
};
