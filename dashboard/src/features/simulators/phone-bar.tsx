import { Users } from 'lucide-react';
import { Avatar } from '../../kit/avatar';
import { PhoneSigns } from '../../kit/phone-frame';
import { lookOf } from '../../kit/phone-looks';
import { messages as t } from './messages';
import { usePerson } from './person';

/** The top bar of the phone, with the open chat. */
export function PhoneBar() {
  const { simulator, chat, name } = usePerson();
  const { icon: Icon, layout } = lookOf(simulator.platform);
  const isGroup = chat.kind === 'group';
  const isChannel = isGroup && layout === 'rows';
  return (
    <header className="shrink-0 bg-(--phone-bar) px-3 pt-1.5 pb-2 text-(--phone-bar-text)">
      <PhoneSigns />
      <div className="flex items-center gap-2">
        {isChannel ? (
          <Icon aria-hidden className="size-4 shrink-0" />
        ) : (
          <Avatar name={t('company')} size={26} />
        )}
        <p className="min-w-0 grow leading-tight">
          <span className="untrusted block truncate font-semibold text-sm">
            {isGroup ? chat.title : t('company')}
          </span>
          <span className="untrusted block truncate text-xs opacity-90">
            {t(isGroup ? 'writingAs' : 'phoneOf', { name })}
          </span>
        </p>
        {isGroup && <Users aria-hidden className="size-4 shrink-0 opacity-80" />}
      </div>
    </header>
  );
}
