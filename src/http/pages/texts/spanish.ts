import type { PageTexts } from './page-texts.js';

export const spanish: PageTexts = {
  needsScript: 'Esta página necesita JavaScript, que carga solo desde este servidor.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Contraseña, 8 caracteres o más',
  displayName: 'Su nombre',
  username: 'Nombre de usuario: a–z, 0–9, punto, guion, guion bajo',
  code: 'Código',
  codeHelp:
    'Introduzca los seis dígitos que muestra su aplicación de autenticación. También sirve un código de recuperación, una sola vez.',
  setupToken: 'Código de instalación, mostrado al iniciar el servicio',
  or: 'o',
  signIn: 'Iniciar sesión',
  welcome: 'Le damos la bienvenida',
  firstUser: 'Esta instalación aún no tiene usuarios. Usted será su propietario y operador.',
  begin: 'Empezar',
  invited: 'Tiene una invitación',
  join: 'Unirse',
  noInvitation: 'No hay invitación',
  closedInvitation: 'Esta invitación ya se usó o ha caducado. Pida otra.',
  signedIn: 'Sesión iniciada',
  signedInAs: 'Ha iniciado sesión como {name} en {workspace}.',
  openDashboard: 'Abrir el panel',
  signOut: 'Cerrar sesión',
  proceed: 'Continuar',
  providerProblems: {
    unavailable:
      'El proveedor de acceso no responde. Inténtelo de nuevo en un minuto, o inicie sesión con su contraseña si tiene una.',
    denied:
      'El acceso se interrumpió en el proveedor. Empiece de nuevo y permita compartir su correo electrónico.',
    rejected:
      'No se aceptó la respuesta del proveedor de acceso. Pida a un administrador que compare los ajustes de este servicio y del proveedor.',
    expired: 'El acceso tardó demasiado o empezó en otro navegador. Empiece de nuevo aquí.',
    unverified:
      'El proveedor de acceso no confirmó su correo electrónico. Confírmelo allí y empiece de nuevo.',
    no_role:
      'Su cuenta del proveedor de acceso no da acceso a este servicio. Pida a un administrador del proveedor un grupo que lo dé.',
    unknown:
      'Ningún miembro tiene el correo electrónico de esta cuenta. Pida a un propietario o administrador que lo invite.',
    suspended: 'Su acceso está suspendido. Pida a un propietario o administrador que lo restablezca.',
    other_account:
      'Otra cuenta del proveedor de acceso pertenece a este miembro. Inicie sesión con ella, o pida a un propietario o administrador que le invite de nuevo.',
  },
  script: {
    noAnswer: 'El servidor no responde. Inténtelo de nuevo.',
    wrongPassword: 'Correo electrónico o contraseña incorrectos.',
    lateCode: 'El código llegó demasiado tarde. Vuelva a cargar la página e inicie sesión de nuevo.',
    wrongCode: 'Código incorrecto o ya usado. Espere al siguiente código de la aplicación.',
    tooManyAttempts: 'Demasiados intentos fallidos. Inténtelo de nuevo en {minutes} minutos.',
    usernameTaken: 'Este nombre de usuario está ocupado. Elija otro.',
  },
};
