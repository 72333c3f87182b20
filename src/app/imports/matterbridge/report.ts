import { printable } from '../printable.js';
import type { MatterbridgeResult } from './import-file.js';

const SIGNS = { create: '+', change: '~', unchanged: '=', skipped: '-' } as const;

/** The report as text: a line for each account, gateway and channel, then the options without a counterpart, then the totals. */
export function describeResult({ accounts, conversations, options, unknown }: MatterbridgeResult): string {
  const lines: string[] = [];
  for (const { account, platform, name, status, reason, todo } of accounts) {
    const what = reason === undefined ? `connection ${platform} "${name}"` : reason;
    lines.push(
      `${SIGNS[status]} account ${account.label}: ${what}`,
      ...todo.map((each) => `    to do: ${each}`),
    );
  }
  for (const { gateway, status, reason, links } of conversations) {
    lines.push(`${SIGNS[status]} gateway ${gateway.key}: ${reason ?? `conversation "${gateway.title}"`}`);
    for (const { channel, status: own, reason: why } of links)
      lines.push(
        `    ${SIGNS[own]} ${channel.account}/${channel.channel} (${channel.direction})${why ? `: ${why}` : ''}`,
      );
  }
  for (const { path, reason } of options) lines.push(`- option ${path}: ${reason}`);
  for (const name of unknown)
    lines.push(`! ${name} is given on the command line, and the file has none of it.`);
  const { create, change, unchanged, skipped } = numbersOf({ accounts, conversations });
  lines.push(
    `${create} created, ${change} changed, ${unchanged} already there, ${skipped} left out, ` +
      `${options.length} options without a counterpart.`,
  );
  return `${lines.map(printable).join('\n')}\n`;
}

/** Totals over connections, conversations and links. */
function numbersOf({ accounts, conversations }: Pick<MatterbridgeResult, 'accounts' | 'conversations'>) {
  const all = [...accounts, ...conversations, ...conversations.flatMap(({ links }) => links)];
  const number = (wanted: string) => all.filter(({ status }) => status === wanted).length;
  return {
    create: number('create'),
    change: number('change'),
    unchanged: number('unchanged'),
    skipped: number('skipped'),
  };
}

/** The report as an object, for JSON output. */
export function resultRecord(result: MatterbridgeResult, dryRun: boolean) {
  const { target, accounts, conversations, options, unknown } = result;
  return {
    dry_run: dryRun,
    workspace_id: target.workspace.id,
    connections: accounts.map(({ account, platform, name, status, reason, todo }) => ({
      account: account.label,
      platform,
      name,
      status,
      reason: reason ?? null,
      to_do: todo,
    })),
    conversations: conversations.map(({ gateway, status, reason, links }) => ({
      gateway: gateway.key,
      title: gateway.title,
      status,
      reason: reason ?? null,
      links: links.map(({ channel, status: own, reason: why }) => ({
        account: channel.account,
        channel: channel.channel,
        direction: channel.direction,
        status: own,
        reason: why ?? null,
      })),
    })),
    options,
    unknown,
    totals: numbersOf(result),
  };
}
