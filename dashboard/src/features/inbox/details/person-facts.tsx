import { Clock, Languages } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Person } from '../../../api/people';
import { languageName } from '../../../i18n/language-name';
import { timeIn } from '../../../i18n/time';
import { Status } from '../../../kit/badge';
import { MetadataList } from '../../../kit/metadata-list';
import { platformName } from '../../../kit/platform';
import { messages as t } from './person-messages';

const MINUTE_MS = 60_000;

/** What an agent should know before an answer: whether it can arrive, the contact's time and language, and the metadata. */
export default function PersonFacts({ person }: { readonly person: Person }) {
  const { locale, timezone, metadata } = person;
  return (
    <>
      <Warnings person={person} />
      {timezone !== null && <LocalTime zone={timezone} />}
      {locale !== null && (
        <Fact icon={<Languages aria-hidden className="size-4 shrink-0" />}>{languageName(locale)}</Fact>
      )}
      {Object.keys(metadata).length > 0 && <MetadataList metadata={metadata} />}
    </>
  );
}

function Warnings({ person: { status, identities } }: { readonly person: Person }) {
  const texts = [
    ...(status === 'blocked' ? [t('blocked')] : []),
    ...identities.flatMap(({ platform, reachable, opt_out }) => {
      const on = platformName(platform);
      return [
        ...(reachable ? [] : [t('unreachable', { platform: on })]),
        ...opt_out.map((category) =>
          t(category === 'marketing' ? 'optedOutOfMarketing' : 'optedOutOfNotifications', { platform: on }),
        ),
      ];
    }),
  ];
  if (texts.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {[...new Set(texts)].map((text) => (
        <li key={text}>
          <Status tone="warning">{text}</Status>
        </li>
      ))}
    </ul>
  );
}

function LocalTime({ zone }: { readonly zone: string }) {
  const now = useMinute();
  return (
    <Fact icon={<Clock aria-hidden className="size-4 shrink-0" />}>
      {t('localTime', { time: timeIn(zone, now), zone })}
    </Fact>
  );
}

/** The current time, which changes every minute. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 text-muted text-sm">
      {icon}
      <span className="untrusted min-w-0 break-words">{children}</span>
    </p>
  );
}
