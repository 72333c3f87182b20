import { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { VerifyOptions } from '../audit/audit.js';
import type { Finish } from '../finish.js';

/** Commands for the audit log and its hash chain. */
export function auditCommand(finish: Finish): Command {
  return new Command('audit')
    .description('Verify and export the audit log.')
    .addCommand(verify(finish))
    .addCommand(exportLog(finish));
}

function verify(finish: Finish): Command {
  return new Command('verify')
    .description(
      'Verify that no row of the audit log was changed, deleted or inserted. Without a file: in the database.',
    )
    .argument(
      '[file]',
      'export to verify offline: JSON Lines of "trunkline audit export", or CSV of the dashboard',
    )
    .option('--expect <head...>', 'heads that were printed before, which the chain has to contain', [])
    .option('--partial', 'accept gaps in the file, because it was exported with a filter', false)
    .action(async (file: string | undefined, options: VerifyOptions) => {
      const { verifyAuditLog } = await import('../audit/audit.js');
      finish(await verifyAuditLog(readConfig, file, options));
    });
}

function exportLog(finish: Finish): Command {
  return new Command('export')
    .description('Print the audit logs of all workspaces with their hashes, one JSON object per line.')
    .action(async () => {
      const { exportAuditLog } = await import('../audit/audit.js');
      finish(await exportAuditLog(readConfig()));
    });
}
