import { Command } from 'commander';
import { version } from '../../app/version.js';
import { readConfig } from '../../config.js';
import type { ApplyOptions } from '../apply.js';
import type { RestoreOptions } from '../backup.js';
import type { DoctorOptions } from '../doctor/doctor.js';
import type { Finish } from '../finish.js';
import type { StartOptions } from '../start.js';

/** Commands that run the service or maintain its installation. */
export function operateCommands(finish: Finish): Command[] {
  return [
    start(finish),
    resume(finish),
    trace(finish),
    demo(finish),
    migrate(finish),
    backup(finish),
    restore(finish),
    upgrade(finish),
    apply(finish),
    healthcheck(finish),
    doctor(finish),
    versionCommand(finish),
  ];
}

function start(finish: Finish): Command {
  return new Command('start')
    .description('Bring the database up to date and serve. This is the default command.')
    .option('--simulators', 'run the four platform simulators and connect them, on data of their own')
    .option('--paused', 'answer requests only: read no platform, send nothing, run no timer')
    .action(async (options: StartOptions) => {
      finish(await (await import('../start.js')).startCommand(options));
    });
}

function resume(finish: Finish): Command {
  return new Command('resume')
    .description('Declare that this database is the real one and not a copy, which ends a pause.')
    .action(async () => finish(await (await import('../resume.js')).resumeCommand(readConfig())));
}

function trace(finish: Finish): Command {
  return new Command('trace')
    .description('Show what happened to a message, step by step.')
    .argument('<id>', 'id of the message')
    .option('--json', 'one JSON object per line in place of the table', false)
    .action(async (id: string, { json }: { json: boolean }) => {
      finish(await (await import('../trace.js')).traceMessage(readConfig(), id, json));
    });
}

function demo(finish: Finish): Command {
  return new Command('demo')
    .description('Show the main job on the four simulators, from start to end.')
    .action(async () => finish(await (await import('../demo/demo.js')).demoCommand()));
}

function migrate(finish: Finish): Command {
  return new Command('migrate')
    .description('Bring the database up to date without serving.')
    .action(async () => finish(await (await import('../migrate.js')).migrateCommand(readConfig())));
}

function backup(finish: Finish): Command {
  return new Command('backup')
    .description('Write the database and the files to one file, without the master key. The service may run.')
    .argument('<file>', 'file to write, which must not exist, or - for standard output')
    .action(async (file: string) => {
      finish(await (await import('../backup.js')).backupCommand(readConfig(), file));
    });
}

function restore(finish: Finish): Command {
  return new Command('restore')
    .description('Load a backup into an empty database. The service then starts paused.')
    .argument('<file>', 'file that "trunkline backup" wrote, or - for standard input')
    .option('--replace', 'remove everything in a database that is not empty', false)
    .action(async (file: string, options: RestoreOptions) => {
      finish(await (await import('../backup.js')).restoreCommand(readConfig(), file, options));
    });
}

function upgrade(finish: Finish): Command {
  return new Command('upgrade')
    .description('Rehearse the upgrade to this version on a copy of a backup. A start performs the upgrade.')
    .argument(
      '<backup>',
      'file that "trunkline backup" wrote, or a folder, of which the newest backup is used',
    )
    .requiredOption('--rehearse', 'restore into a temporary database, migrate, verify, report and remove it')
    .option('--embedded', 'use an embedded server, also where there is DATABASE_URL', false)
    .option('--json', 'print one JSON object for programs', false)
    .action(async (path: string, options: { embedded: boolean; json: boolean }) => {
      finish(await (await import('../upgrade.js')).rehearseCommand(readConfig(), path, options));
    });
}

function apply(finish: Finish): Command {
  return new Command('apply')
    .description(
      'Create, change and remove workspaces, members, connections, webhooks and keys as a YAML file states.',
    )
    .argument('<file>', 'the file; see docs/apply.md')
    .option('--plan', 'show the difference and change nothing', false)
    .option('--yes', 'apply without a question', false)
    .option('--prune <kinds>', 'remove what the file does not name: members, connections, webhooks, keys')
    .action(async (file: string, options: ApplyOptions) => {
      finish(await (await import('../apply.js')).applyCommand(readConfig(), file, options));
    });
}

function healthcheck(finish: Finish): Command {
  return new Command('healthcheck')
    .description(
      'Exit with 0 if the service on this machine is ready. Else print the reason and exit with 1.',
    )
    .action(async () => finish(await (await import('../healthcheck.js')).healthcheck(readConfig())));
}

function doctor(finish: Finish): Command {
  return new Command('doctor')
    .description(
      'Look for the usual mistakes of this installation, and say how to correct each. Changes nothing.',
    )
    .option('--json', 'print one JSON object for programs')
    .action(async (options: DoctorOptions) => {
      finish(await (await import('../doctor/doctor.js')).doctorCommand(readConfig(), options));
    });
}

function versionCommand(finish: Finish): Command {
  return new Command('version').description('Print the version.').action(() => {
    process.stdout.write(`${version}\n`);
    finish(0);
  });
}
