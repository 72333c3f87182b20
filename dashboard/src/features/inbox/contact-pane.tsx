import { usePeople } from '../../api/people';
import { Avatar } from '../../kit/avatar';
import { Badge, Status } from '../../kit/badge';
import { messages as t } from './messages';
import type { Conversation } from './views';

/** Who takes part, and where the conversation is linked. On wide screens. */
export function ContactPane({ conversation }: { readonly conversation: Conversation }) {
  const { links, labels } = conversation;
  return (
    <aside className="hidden w-72 shrink-0 flex-col gap-5 overflow-y-auto border-line border-l p-4 xl:flex">
      <Participants conversation={conversation} />
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold text-sm">{t('links')}</h3>
        {links.length === 0 && <p className="text-muted text-sm">{t('noLinks')}</p>}
        {links.map((link) => (
          <div key={link.id} className="flex items-center justify-between gap-2 text-sm">
            <span className="untrusted truncate">{link.title ?? link.external_id}</span>
            {link.status === 'active' ? (
              <Badge>{link.platform}</Badge>
            ) : (
              <Status tone="danger">{`${link.platform} · ${t('broken')}`}</Status>
            )}
          </div>
        ))}
      </section>
      {labels.length > 0 && (
        <section className="flex flex-wrap gap-1">
          <h3 className="mb-1 w-full font-semibold text-sm">{t('labels')}</h3>
          {labels.map((label) => (
            <Badge key={label}>{label}</Badge>
          ))}
        </section>
      )}
    </aside>
  );
}

function Participants({ conversation }: { readonly conversation: Conversation }) {
  const present = conversation.participants.filter(({ left_at }) => left_at === null);
  const people = usePeople(present.map(({ user_id }) => user_id));
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-sm">{t('participants')}</h3>
      {present.map(({ user_id }) => {
        const person = people.get(user_id);
        const name = person?.display_name ?? '';
        const contacts = [
          person?.email,
          person?.phone,
          ...(person?.identities.map(({ handle }) => handle) ?? []),
        ];
        return (
          <div key={user_id} className="flex items-center gap-2">
            <Avatar name={name} />
            <div className="min-w-0">
              <p className="untrusted truncate text-sm">{name}</p>
              <p className="untrusted truncate text-muted text-xs">{contacts.filter(Boolean).join(' · ')}</p>
            </div>
          </div>
        );
      })}
    </section>
  );
}
