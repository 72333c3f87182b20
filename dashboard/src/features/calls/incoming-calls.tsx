import { useQuery } from '@tanstack/react-query';
import { Phone, PhoneOff, Video } from 'lucide-react';
import { useState } from 'react';
import { type Call, declineCall, joinCall, liveCallsQuery } from '../../api/calls';
import { notificationsQuery } from '../../api/notifications';
import { usePeople } from '../../api/people';
import { usePermissions, useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { showError } from '../../kit/toast';
import { messages as t } from './messages';
import { useRingTone } from './ring-tone';

/** The calls that ring for the user, on every screen. */
export function IncomingCalls() {
  const { user } = useSession();
  const { canWrite } = usePermissions();
  const [handled, setHandled] = useState<readonly string[]>([]);
  const { data = [] } = useQuery({ ...liveCallsQuery(user.id), enabled: canWrite });
  const ringing = data.filter((call) => ringsFor(call, user.id) && !handled.includes(call.id));
  const people = usePeople(ringing.map((call) => call.initiator_id));
  const isRinging = ringing.length > 0;
  const choices = useQuery({ ...notificationsQuery, enabled: isRinging });
  // The user's settings may be unavailable offline.
  useRingTone(isRinging && (choices.isError || choices.data?.sound_calls === true));
  return (
    <div role="alert" className="fixed top-3 right-3 left-3 z-50 flex flex-col gap-2 sm:left-auto sm:w-80">
      {ringing.map((call) => (
        <Incoming
          key={call.id}
          call={call}
          name={people.get(call.initiator_id)?.display_name || t('unnamed')}
          onHandled={() => setHandled((old) => [...old, call.id])}
        />
      ))}
    </div>
  );
}

function ringsFor(call: Call, userId: string): boolean {
  if (call.initiator_id === userId) return false;
  return call.participants.some(({ user_id: id, status }) => id === userId && status === 'ringing');
}

interface IncomingProps {
  readonly call: Call;
  readonly name: string;
  readonly onHandled: () => void;
}

function Incoming({ call, name, onHandled }: IncomingProps) {
  const Icon = call.type === 'video' ? Video : Phone;
  const answer = () => void joinCall(async () => call.id).then(onHandled, showError);
  const decline = () => void declineCall(call.id).then(onHandled, showError);
  return (
    <section
      aria-label={t('incomingFrom', { name })}
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-raised"
    >
      <div className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
        <div className="min-w-0">
          <p className="untrusted truncate font-semibold">{name}</p>
          <p className="text-muted text-sm">{t(call.type === 'video' ? 'incomingVideo' : 'incomingVoice')}</p>
        </div>
      </div>
      <div className="flex justify-end gap-2">
        <Button kind="destructive" onClick={decline}>
          <PhoneOff aria-hidden className="size-4" />
          {t('decline')}
        </Button>
        <Button kind="primary" onClick={answer}>
          <Phone aria-hidden className="size-4" />
          {t('answer')}
        </Button>
      </div>
    </section>
  );
}
