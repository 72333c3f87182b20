import Table from 'cli-table3';
import { type SimulatedPlatform, seenIn } from '../simulators/simulated-platforms.js';
import type { Stage } from './stage.js';

/** Totals of one simulated platform. */
export interface LedgerSum {
  readonly platform: string;
  readonly calls: Readonly<Record<string, number>>;
  readonly sent: number;
  readonly edits: number;
  /** Number of events that the platform gave to the bridge, as the connection counts them. */
  readonly received: number;
  readonly limited: number;
  /** Number of additional copies of a text in the same chat. */
  readonly duplicates: number;
}

const TOO_MANY_REQUESTS = 429;

export function sumOf(platform: SimulatedPlatform, received: number): LedgerSum {
  const { simulator, createCall } = platform;
  const entries = simulator.ledger.entries();
  const creates = entries.filter(({ call, committed }) => committed && call === createCall);
  const chats = new Set(entries.flatMap(({ chatId }) => (chatId === undefined ? [] : [chatId])));
  const own = [...chats].flatMap((chatId) => seenIn(platform, chatId)).filter((message) => message.own);
  return {
    platform: platform.platform,
    calls: simulator.ledger.counts(),
    sent: creates.length,
    edits: own.filter(({ edited }) => edited).length,
    received,
    limited: entries.filter(({ status }) => status === TOO_MANY_REQUESTS).length,
    duplicates: own.length - new Set(own.map(({ chatId, text }) => `${chatId} ${text}`)).size,
  };
}

export async function sumLedgers(stage: Stage): Promise<LedgerSum[]> {
  const connections = await stage.connections();
  return stage.platforms.all.map((platform) => {
    const connection = connections.find(({ id }) => id === platform.connectionId);
    return sumOf(platform, connection?.counters.received ?? 0);
  });
}

/** The totals as a table. */
export function ledgerTable(sums: readonly LedgerSum[]): string {
  const table = new Table({
    head: ['Platform', 'Calls', 'Sent', 'Edited', 'Received', '429', 'Duplicates'],
    style: { head: [], border: [] },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { platform, calls, sent, edits, received, limited, duplicates } of sums) {
    const lines = Object.entries(calls).map(([call, count]) => `${call} ${count}`);
    table.push([platform, lines.join('\n'), sent, edits, received, limited, duplicates]);
  }
  return table.toString();
}
