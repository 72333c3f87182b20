import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MessagesSquare, Phone, PhoneOff } from 'lucide-react';
import { type Call, endCall, isLive, joinCall } from '../../api/calls';
import { usePermissions, useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { showError } from '../../kit/toast';
import { messages as t } from './messages';
import { conversationNumber } from './queries';

interface CallActionsProps {
  readonly call: Call;
  readonly name: string;
}

/** The actions for a call in the list. */
export function CallActions({ call, name }: CallActionsProps) {
  const { user } = useSession();
  const { canWrite } = usePermissions();
  const navigate = useNavigate();
  const end = useMutation({ mutationFn: () => endCall(call.id), onError: showError });
  const open = async () => {
    const number = await conversationNumber(call.conversation_id);
    await navigate({ to: '/inbox/$number', params: { number: String(number) } });
  };
  const isWithMe = call.participants.some(({ user_id: id }) => id === user.id);
  return (
    <div className="flex flex-wrap gap-1">
      {isLive(call) && canWrite && isWithMe && (
        <Button
          size="icon"
          kind="quiet"
          aria-label={t('joinOf', { name })}
          onClick={() => void joinCall(async () => call.id).catch(showError)}
        >
          <Phone aria-hidden className="size-4" />
        </Button>
      )}
      {isLive(call) && canWrite && (
        <Button
          size="icon"
          kind="quiet"
          aria-label={t('endOf', { name })}
          disabled={end.isPending}
          onClick={() => end.mutate()}
        >
          <PhoneOff aria-hidden className="size-4 text-danger" />
        </Button>
      )}
      <Button
        size="icon"
        kind="quiet"
        aria-label={t('conversationOf', { name })}
        onClick={() => void open().catch(showError)}
      >
        <MessagesSquare aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
