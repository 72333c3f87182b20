import type { ProviderRefusal } from '../../../core/sessions/provider-sign-in.js';

/** What the script of the pages says. `{minutes}` is replaced. */
interface ScriptTexts {
  readonly noAnswer: string;
  readonly wrongPassword: string;
  readonly lateCode: string;
  readonly wrongCode: string;
  readonly tooManyAttempts: string;
  readonly usernameTaken: string;
}

/** The texts of the pages in one language. `{name}` and `{workspace}` are replaced. */
export interface PageTexts {
  readonly needsScript: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword: string;
  readonly displayName: string;
  readonly username: string;
  readonly code: string;
  readonly codeHelp: string;
  readonly setupToken: string;
  readonly or: string;
  readonly signIn: string;
  readonly welcome: string;
  readonly firstUser: string;
  readonly begin: string;
  readonly invited: string;
  readonly join: string;
  readonly noInvitation: string;
  readonly closedInvitation: string;
  readonly signedIn: string;
  readonly signedInAs: string;
  readonly openDashboard: string;
  readonly signOut: string;
  readonly proceed: string;
  /** Why the provider opened no session, and what to do. */
  readonly providerProblems: Readonly<Record<ProviderRefusal, string>>;
  readonly script: ScriptTexts;
}
