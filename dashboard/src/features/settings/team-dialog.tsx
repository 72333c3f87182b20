import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import type { Team } from '../../api/team-paths';
import { Button } from '../../kit/button';
import { Checkbox } from '../../kit/checkbox';
import { Dialog } from '../../kit/dialog';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Field, Input } from '../../kit/field';
import { messages as t } from './team-messages';
import { peopleQuery, useSaveTeam } from './team-queries';

const FORM = 'team';
const CONFLICT = 409;

interface TeamDialogProps {
  /** Absent for a new team. */
  readonly team?: Team;
  readonly onClose: () => void;
}

/** Creates a team, or changes its name and members. */
export function TeamDialog({ team, onClose }: TeamDialogProps) {
  const save = useSaveTeam(team?.id);
  const [name, setName] = useState(team?.name ?? '');
  const [members, setMembers] = useState<ReadonlySet<string>>(new Set(team?.member_ids));
  const isReady = name.trim() !== '' && !save.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) save.mutate({ name: name.trim(), member_ids: [...members] }, { onSuccess: onClose });
  };
  const isTaken = save.error instanceof ApiError && save.error.status === CONFLICT;
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={!isReady}>
        {t(team === undefined ? 'create' : 'save')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t(team === undefined ? 'newTitle' : 'edit')} actions={actions}>
      <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field label={t('name')} error={isTaken ? t('nameTaken') : undefined}>
          <Input
            autoComplete="off"
            maxLength={256}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Members chosen={members} onChange={setMembers} />
        {save.isError && !isTaken && (
          <p role="alert" className="text-danger text-sm">
            {explain(save.error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface MembersProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Lists the people of the workspace. Members of the team are checked. */
function Members({ chosen, onChange }: MembersProps) {
  const people = useInfiniteQuery(peopleQuery);
  if (people.isPending) return <SkeletonList rows={3} />;
  if (people.isError) return <ErrorState error={people.error} onRetry={() => void people.refetch()} />;
  const toggle = (id: string, isChosen: boolean) =>
    onChange(new Set(isChosen ? [...chosen, id] : [...chosen].filter((each) => each !== id)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium text-sm">{t('members')}</legend>
      <div className="flex max-h-60 flex-col gap-2 overflow-y-auto rounded-md border border-line p-2">
        {people.data.pages
          .flatMap(({ data }) => data)
          .map(({ id, display_name: name }) => (
            <Checkbox key={id} isChecked={chosen.has(id)} onChange={(isChosen) => toggle(id, isChosen)}>
              <span className="untrusted break-words">{name}</span>
            </Checkbox>
          ))}
        {people.hasNextPage && (
          <Button size="sm" className="self-center" onClick={() => void people.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
