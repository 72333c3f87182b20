import type { ProviderRefusal } from '../../core/sessions/provider-sign-in.js';

/** What went wrong, and what to do. */
export const PROVIDER_PROBLEMS: Readonly<Record<ProviderRefusal, string>> = {
  unavailable:
    'The sign-in provider does not answer. Try again in a minute, or sign in with your password if you have one.',
  denied: 'The sign-in was stopped at the provider. Start again, and allow it to share your e-mail address.',
  rejected:
    'The answer of the sign-in provider was not accepted. Ask an administrator to compare the settings of this service and the provider.',
  expired: 'The sign-in took too long, or it began in another browser. Start again here.',
  unverified: 'The sign-in provider did not confirm your e-mail address. Confirm it there, then start again.',
  no_role:
    'Your account at the sign-in provider has no access to this service. Ask an administrator of the provider for a group that has.',
  unknown: 'No member has the e-mail address of this account. Ask an owner or admin to invite it.',
  suspended: 'Your access was suspended. Ask an owner or admin to restore it.',
  other_account:
    'Another account of the sign-in provider belongs to this member. Sign in with that one, or ask an owner or admin to invite you again.',
};
