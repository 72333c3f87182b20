import { defineMessages } from '../i18n/messages';

export const messages = defineMessages('kit', {
  en: {
    close: 'Close',
    cancel: 'Cancel',
    undo: 'Undo',
    retry: 'Try again',
    loading: 'Loading',
    copy: 'Copy',
    copied: 'Copied',
    actions: 'More actions',
    notifications: 'Notifications',
  },
  es: {
    close: 'Cerrar',
    cancel: 'Cancelar',
    undo: 'Deshacer',
    retry: 'Reintentar',
    loading: 'Cargando',
    copy: 'Copiar',
    copied: 'Copiado',
    actions: 'Más acciones',
    notifications: 'Notificaciones',
  },
  zh: {
    close: '关闭',
    cancel: '取消',
    undo: '撤销',
    retry: '重试',
    loading: '正在加载',
    copy: '复制',
    copied: '已复制',
    actions: '更多操作',
    notifications: '通知',
  },
});
