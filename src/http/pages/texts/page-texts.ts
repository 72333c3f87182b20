import type { ProviderRefusal } from '../../../core/sessions/provider-sign-in.js';

/** Texts of the script of the pages. `{minutes}` is a placeholder. */
interface ScriptTexts {
  readonly noAnswer: string;
  readonly wrongPassword: string;
  readonly lateCode: string;
  readonly wrongCode: string;
  readonly tooManyAttempts: string;
  readonly usernameTaken: string;
}

/** Texts of the pages in one language. `{name}` and `{workspace}` are placeholders. */
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
  /** Why a sign-in at the provider failed, and what to do. */
  readonly providerProblems: Readonly<Record<ProviderRefusal, string>>;
  readonly script: ScriptTexts;
}
