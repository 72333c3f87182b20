import { lookOf } from './phone-looks';

/** Names that are not the id with a capital first letter. */
const NAMES: Readonly<Record<string, string>> = {
  sms: 'SMS',
  irc: 'IRC',
  xmpp: 'XMPP',
  whatsapp: 'WhatsApp',
};

/** The name of a platform for people. Filters and requests use the id. */
export const platformName = (id: string): string => NAMES[id] ?? id.charAt(0).toUpperCase() + id.slice(1);

/** The picture of a platform, next to its name. */
export function PlatformIcon({ platform }: { readonly platform: string }) {
  const { icon: Icon } = lookOf(platform);
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-info-soft text-accent-text">
      <Icon aria-hidden className="size-4.5" />
    </span>
  );
}

/** A platform by icon and name. */
export function PlatformBadge({ platform }: { readonly platform: string }) {
  const { icon: Icon } = lookOf(platform);
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-full bg-hover px-2 py-0.5 font-medium text-muted text-xs">
      <Icon aria-hidden className="size-3 shrink-0" />
      <span className="untrusted truncate">{platformName(platform)}</span>
    </span>
  );
}
