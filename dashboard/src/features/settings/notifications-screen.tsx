import { useQuery } from '@tanstack/react-query';
import { BellRing, Volume2 } from 'lucide-react';
import { useState } from 'react';
import type { Notifications } from '../../api/notification-paths';
import { notificationsQuery } from '../../api/notifications';
import { canPush, PushNotAllowed } from '../../api/push';
import { Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { Checkbox } from '../../kit/checkbox';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { playMessageTone } from '../../kit/tones';
import { messages as t } from './notification-messages';
import { useChooseNotifications, useTestPush, useTurnPush } from './notification-queries';
import { SettingsPage } from './settings-page';

/** The user's settings for sounds and push notifications. */
export function NotificationsScreen() {
  const notifications = useQuery(notificationsQuery);
  return (
    <SettingsPage title={t('title')} description={t('help')}>
      {notifications.isPending && <SkeletonList rows={6} />}
      {notifications.isError && (
        <ErrorState error={notifications.error} onRetry={() => void notifications.refetch()} />
      )}
      {notifications.data && <Choices chosen={notifications.data} />}
    </SettingsPage>
  );
}

function Choices({ chosen }: { readonly chosen: Notifications }) {
  const choose = useChooseNotifications();
  const change = (change: Partial<Notifications>) => choose.mutate(change, { onError: showError });
  return (
    <>
      <Card title={t('sounds')} description={t('soundsHelp')}>
        <Checkbox isChecked={chosen.sound_mine} onChange={(sound_mine) => change({ sound_mine })}>
          {t('soundMine')}
        </Checkbox>
        <Checkbox
          isChecked={chosen.sound_unassigned}
          onChange={(sound_unassigned) => change({ sound_unassigned })}
        >
          {t('soundUnassigned')}
        </Checkbox>
        <Checkbox isChecked={chosen.sound_calls} onChange={(sound_calls) => change({ sound_calls })}>
          {t('soundCalls')}
        </Checkbox>
        <PlaySound />
      </Card>
      <Card title={t('browser')} description={t('browserHelp')}>
        <ThisBrowser isOn={chosen.pushes_here} />
      </Card>
      <Card title={t('pushes')} description={t('pushesHelp')}>
        <Checkbox isChecked={chosen.push_mine} onChange={(push_mine) => change({ push_mine })}>
          {t('pushMine')}
        </Checkbox>
        <Checkbox
          isChecked={chosen.push_unassigned}
          onChange={(push_unassigned) => change({ push_unassigned })}
        >
          {t('pushUnassigned')}
        </Checkbox>
        <Checkbox isChecked={chosen.push_calls} onChange={(push_calls) => change({ push_calls })}>
          {t('pushCalls')}
        </Checkbox>
        <Checkbox
          isChecked={!chosen.push_shows_text}
          onChange={(isHidden) => change({ push_shows_text: !isHidden })}
        >
          {t('hideText')}
        </Checkbox>
      </Card>
    </>
  );
}

function PlaySound() {
  const play = async () => {
    if (!(await playMessageTone())) showToast(t('noSound'));
  };
  return (
    <Button className="self-start" onClick={() => void play().catch(showError)}>
      <Volume2 aria-hidden className="size-4" />
      {t('playSound')}
    </Button>
  );
}

/** Whether this browser receives push notifications, and the reason if it cannot. */
function ThisBrowser({ isOn }: { readonly isOn: boolean }) {
  const turn = useTurnPush();
  const [isDenied, setDenied] = useState(canPush() && Notification.permission === 'denied');
  if (!canPush()) return <p className="text-sm">{t('noPush')}</p>;
  const switchTo = (wanted: boolean) =>
    turn.mutate(wanted, {
      onSuccess: () => {
        setDenied(false);
        showToast(t(wanted ? 'isTurnedOn' : 'isTurnedOff'));
      },
      onError: (error) => {
        if (error instanceof PushNotAllowed) setDenied(true);
        else if (error instanceof DOMException) showToast(t('noPushService'));
        else showError(error);
      },
    });
  return (
    <>
      <p>
        <Status tone={isOn ? 'success' : 'neutral'}>{t(isOn ? 'on' : 'off')}</Status>
      </p>
      {isDenied && <p className="text-sm">{t('denied')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          kind={isOn ? 'secondary' : 'primary'}
          disabled={turn.isPending}
          onClick={() => switchTo(!isOn)}
        >
          {t(isOn ? 'turnOff' : 'turnOn')}
        </Button>
        {isOn && <TestPush />}
      </div>
    </>
  );
}

function TestPush() {
  const test = useTestPush();
  const send = () =>
    test.mutate(undefined, { onSuccess: (result) => showToast(t(`test_${result}`)), onError: showError });
  return (
    <Button disabled={test.isPending} onClick={send}>
      <BellRing aria-hidden className="size-4" />
      {t('test')}
    </Button>
  );
}
