import { defineMessages } from '../../i18n/messages';

export const messages = defineMessages('settings.restrict', {
  en: {
    ownTeams: 'Own teams only',
    restrict: 'Show only own teams',
    lift: 'Show all conversations',
    restrictTitle: 'Show {name} only the conversations of their teams?',
    restrictHelp:
      'They then see the conversations that are assigned to one of their teams, to a member of these teams, or to them. They see all contacts, but no broadcasts, analytics and webhooks. API keys and apps that act for them see no more than they do. Webhooks that they registered are disabled.',
    inTeams: 'Teams: {teams}',
    inNoTeam: 'This member is in no team, and will see only what is assigned to them.',
    liftTitle: 'Show {name} all conversations?',
    liftHelp:
      'They then see the conversations of every team and of none. Webhooks that were disabled stay so.',
    restricted: '{name} sees only the conversations of their teams',
    lifted: '{name} sees all conversations',
    inviteRestricted: 'Show only the conversations of their teams',
    inviteHelp:
      'The person sees conversations of their teams, of members of these teams, and those assigned to them. Add the person to a team under Settings > Teams.',
  },
  es: {
    ownTeams: 'Solo sus equipos',
    restrict: 'Mostrar solo sus equipos',
    lift: 'Mostrar todas las conversaciones',
    restrictTitle: '¿Mostrar a {name} solo las conversaciones de sus equipos?',
    restrictHelp:
      'Verá las conversaciones asignadas a uno de sus equipos, a un miembro de esos equipos o a sí mismo. Verá todos los contactos, pero no las difusiones, las estadísticas ni los webhooks. Las claves de API y las aplicaciones que actúan en su nombre no ven más. Los webhooks que registró se desactivan.',
    inTeams: 'Equipos: {teams}',
    inNoTeam: 'Este miembro no está en ningún equipo y solo verá lo que se le asigne.',
    liftTitle: '¿Mostrar a {name} todas las conversaciones?',
    liftHelp:
      'Verá las conversaciones de todos los equipos y las que no tienen equipo. Los webhooks desactivados siguen así.',
    restricted: '{name} solo ve las conversaciones de sus equipos',
    lifted: '{name} ve todas las conversaciones',
    inviteRestricted: 'Mostrar solo las conversaciones de sus equipos',
    inviteHelp:
      'La persona ve las conversaciones de sus equipos, de los miembros de esos equipos y las asignadas a ella. Añádala a un equipo en Ajustes > Equipos.',
  },
  zh: {
    ownTeams: '仅限所属团队',
    restrict: '仅显示所属团队',
    lift: '显示全部会话',
    restrictTitle: '仅向 {name} 显示其所属团队的会话？',
    restrictHelp:
      '此成员将只能看到分配给其所属团队、这些团队的成员或其本人的会话。仍可看到所有联系人，但看不到群发、分析和 Webhook。代表此成员的 API 密钥和应用看到的内容与其相同。此成员注册的 Webhook 会被停用。',
    inTeams: '团队：{teams}',
    inNoTeam: '此成员不属于任何团队，只能看到分配给其本人的会话。',
    liftTitle: '向 {name} 显示全部会话？',
    liftHelp: '此成员将看到所有团队的会话以及没有团队的会话。已停用的 Webhook 保持停用。',
    restricted: '{name} 现在只能看到其所属团队的会话',
    lifted: '{name} 现在可以看到全部会话',
    inviteRestricted: '仅显示其所属团队的会话',
    inviteHelp: '此人能看到其所属团队、这些团队成员以及分配给其本人的会话。请在“设置 > 团队”中将其加入团队。',
  },
});
