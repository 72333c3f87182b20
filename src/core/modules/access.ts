import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { ManageApiKeys } from '../api-keys/use-cases.js';
import { ManageMembers } from '../members/use-cases.js';
import { AuthorizeApps } from '../oauth/authorize.js';
import { ManageGrants } from '../oauth/use-cases.js';
import { ManageOAuthApps } from '../oauth-apps/use-cases.js';
import { RequestLog } from '../request-log/request-log.js';
import { CheckCode } from '../sessions/check-code.js';
import { OwnSessions } from '../sessions/own-sessions.js';
import { ProviderSignIn } from '../sessions/provider-sign-in.js';
import { OwnSecondStep } from '../sessions/second-step.js';
import { SignInTokens } from '../sessions/sign-in-token.js';
import { AcceptInvitation, OpenSessions, ProveSignIn, SetUp, SignIn } from '../sessions/use-cases.js';
import { ManageRetention } from '../workspaces/retention.js';
import { ManageStaffChat } from '../workspaces/staff-chat.js';
import { ManageWorkspaces } from '../workspaces/use-cases.js';
import * as ports from './tokens.js';

/** The use cases of access: sessions, keys, members, apps. */
export const accessUseCases = new ContainerModule((options) => {
  bindOAuth(options);
  bindSessions(options);
  bindProviderSignIn(options);
  bindSecondStep(options);
  bindManagement(options);
});

function bindOAuth({ bind }: ContainerModuleLoadOptions): void {
  bind(AuthorizeApps).toResolvedValue(
    (clients, grants, publicUrl) => new AuthorizeApps(clients, grants, publicUrl),
    [ports.OAuthClients, ports.OAuthGrants, ports.PublicUrl],
  );
  bind(ManageGrants).toResolvedValue(
    (grants, authorize) => new ManageGrants(grants, authorize),
    [ports.OAuthGrants, AuthorizeApps],
  );
}

function bindSessions({ bind }: ContainerModuleLoadOptions): void {
  bind(OpenSessions).toResolvedValue(
    (store, reader) => new OpenSessions(store, reader),
    [ports.SessionStore, ports.SessionReader],
  );
  bind(SignIn).toResolvedValue(
    (store, tries, passwords, sessions, box) =>
      new SignIn(store, tries, passwords, sessions, new SignInTokens(box)),
    [ports.SessionStore, ports.SignInTries, ports.Passwords, OpenSessions, ports.SecretBox],
  );
  bind(SetUp).toResolvedValue(
    (workspaces, store, passwords, sessions, token) =>
      new SetUp(workspaces, store, passwords, sessions, token),
    [ports.WorkspaceStore, ports.SessionStore, ports.Passwords, OpenSessions, ports.SetupToken],
  );
  bind(AcceptInvitation).toResolvedValue(
    (invitations, passwords, sessions) => new AcceptInvitation(invitations, passwords, sessions),
    [ports.InvitationStore, ports.Passwords, OpenSessions],
  );
  bind(OwnSessions).toResolvedValue(
    (store, tries, passwords) => new OwnSessions(store, tries, passwords),
    [ports.OwnSessionStore, ports.SignInTries, ports.Passwords],
  );
}

function bindProviderSignIn({ bind }: ContainerModuleLoadOptions): void {
  bind(ProviderSignIn).toResolvedValue(
    (provider, store, reader, sessions, box, publicUrl, log) =>
      new ProviderSignIn(provider, store, reader, sessions, box, publicUrl, log),
    [
      ports.IdentityProvider,
      ports.ProviderSessionStore,
      ports.SessionReader,
      OpenSessions,
      ports.SecretBox,
      ports.PublicUrl,
      ports.Log,
    ],
  );
}

function bindSecondStep({ bind }: ContainerModuleLoadOptions): void {
  bind(CheckCode).toResolvedValue(
    (store, tries, codes) => new CheckCode(store, tries, codes),
    [ports.SecondStepStore, ports.CodeTries, ports.OneTimeCodes],
  );
  bind(ProveSignIn).toResolvedValue(
    (own, store, check, box, sessions) => new ProveSignIn(own, store, check, new SignInTokens(box), sessions),
    [ports.OwnSessionStore, ports.SecondStepStore, CheckCode, ports.SecretBox, OpenSessions],
  );
  bind(OwnSecondStep).toResolvedValue(
    (store, sessions, tries, passwords, codes, check) =>
      new OwnSecondStep(store, sessions, tries, passwords, codes, check),
    [
      ports.SecondStepStore,
      ports.OwnSessionStore,
      ports.SignInTries,
      ports.Passwords,
      ports.OneTimeCodes,
      CheckCode,
    ],
  );
}

function bindManagement({ bind }: ContainerModuleLoadOptions): void {
  bind(ManageApiKeys).toResolvedValue(
    (store, workspaces) => new ManageApiKeys(store, workspaces),
    [ports.ApiKeyStore, ports.WorkspaceStore],
  );
  bind(ManageMembers).toResolvedValue(
    (store, secondSteps, publicUrl, log) => new ManageMembers(store, secondSteps, publicUrl, log),
    [ports.MemberStore, ports.SecondStepStore, ports.PublicUrl, ports.Log],
  );
  bind(ManageOAuthApps).toResolvedValue(
    (store, grants) => new ManageOAuthApps(store, grants),
    [ports.OAuthAppStore, ports.OAuthGrants],
  );
  bind(RequestLog).toResolvedValue(
    (store, log) => new RequestLog({ store, log }),
    [ports.RequestLogStore, ports.Log],
  );
  bind(ManageStaffChat).toResolvedValue((store) => new ManageStaffChat(store), [ports.StaffChatStore]);
  bind(ManageRetention).toResolvedValue(
    (store, installation) => new ManageRetention(store, installation),
    [ports.RetentionStore, ports.InstallationRetention],
  );
  bind(ManageWorkspaces).toResolvedValue(
    (store, passwords) => new ManageWorkspaces(store, passwords),
    [ports.WorkspaceStore, ports.Passwords],
  );
}
