import type { PageTexts } from './page-texts.js';

export const english: PageTexts = {
  needsScript: 'This page needs JavaScript, which it loads from this server alone.',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'Password, 8 characters or more',
  displayName: 'Your name',
  username: 'Username: a–z, 0–9, dot, hyphen, underscore',
  code: 'Code',
  codeHelp: 'Enter the six digits that your authenticator app shows. A recovery code works as well, once.',
  setupToken: 'Setup token, printed when the service started',
  or: 'or',
  signIn: 'Sign in',
  welcome: 'Welcome',
  firstUser: 'This installation has no users yet. You become its owner and operator.',
  begin: 'Begin',
  invited: 'You are invited',
  join: 'Join',
  noInvitation: 'No invitation',
  closedInvitation: 'This invitation was used already, or is too old. Ask for another one.',
  signedIn: 'Signed in',
  signedInAs: 'You are signed in as {name} in {workspace}.',
  openDashboard: 'Open the dashboard',
  signOut: 'Sign out',
  proceed: 'Continue',
  providerProblems: {
    unavailable:
      'The sign-in provider does not answer. Try again in a minute, or sign in with your password if you have one.',
    denied:
      'The sign-in was stopped at the provider. Start again, and allow it to share your e-mail address.',
    rejected:
      'The answer of the sign-in provider was not accepted. Ask an administrator to compare the settings of this service and the provider.',
    expired: 'The sign-in took too long, or it began in another browser. Start again here.',
    unverified:
      'The sign-in provider did not confirm your e-mail address. Confirm it there, then start again.',
    no_role:
      'Your account at the sign-in provider has no access to this service. Ask an administrator of the provider for a group that has.',
    unknown: 'No member has the e-mail address of this account. Ask an owner or admin to invite it.',
    suspended: 'Your access was suspended. Ask an owner or admin to restore it.',
    other_account:
      'Another account of the sign-in provider belongs to this member. Sign in with that one, or ask an owner or admin to invite you again.',
  },
  script: {
    noAnswer: 'The server does not answer. Try again.',
    wrongPassword: 'Wrong e-mail address or password.',
    lateCode: 'The code came too late. Reload the page and sign in again.',
    wrongCode: 'Wrong code, or one that was used before. Wait for the next code of the app.',
    tooManyAttempts: 'Too many failed sign-ins. Try again in {minutes} minutes.',
    usernameTaken: 'This username is taken. Choose another one.',
  },
};
