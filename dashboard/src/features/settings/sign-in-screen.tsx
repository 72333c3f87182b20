import { Card } from '../../kit/page';
import { messages as settings } from './messages';
import { PasswordForm } from './password-form';
import { SecondStepCard } from './second-step-card';
import { SettingsPage } from './settings-page';
import { messages as t } from './sign-in-messages';
import { SignedInBrowsers } from './signed-in-browsers';

export function SignInScreen() {
  return (
    <SettingsPage title={settings('signIn')} description={t('help')}>
      <Card title={t('password')} description={t('passwordHelp')}>
        <PasswordForm />
      </Card>
      <SecondStepCard />
      <Card title={t('sessions')} description={t('sessionsHelp')}>
        <SignedInBrowsers />
      </Card>
    </SettingsPage>
  );
}
