import { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Finish } from '../finish.js';

/** Commands for users and workspaces. */
export function peopleCommands(finish: Finish): Command[] {
  const users = new Command('users')
    .description('Reset passwords and two-step sign-in, and export personal data.')
    .addCommand(resetPassword(finish))
    .addCommand(resetTwoStep(finish))
    .addCommand(exportUser(finish));
  const workspaces = new Command('workspaces')
    .description('Create workspaces.')
    .addCommand(createWorkspace(finish));
  return [users, workspaces];
}

function resetPassword(finish: Finish): Command {
  return new Command('reset-password')
    .description('Set the password of a member. The new password is read from standard input.')
    .argument('<email>', 'e-mail address that the member signs in with')
    .action(async (email: string) => {
      const { resetPassword: reset } = await import('../users.js');
      finish(await reset(readConfig(), email));
    });
}

function resetTwoStep(finish: Finish): Command {
  return new Command('reset-two-step')
    .description('Turn two-step sign-in off for a member who lost the app and the recovery codes.')
    .argument('<email>', 'e-mail address that the member signs in with')
    .action(async (email: string) => {
      const { resetTwoStep: reset } = await import('../users.js');
      finish(await reset(readConfig(), email));
    });
}

function exportUser(finish: Finish): Command {
  return new Command('export')
    .description('Print everything stored about a user, one JSON record per line.')
    .argument('<id>', 'id of the user, a UUID')
    .action(async (id: string) => {
      const { exportUserData } = await import('../users.js');
      finish(await exportUserData(readConfig(), id));
    });
}

function createWorkspace(finish: Finish): Command {
  return new Command('create')
    .description(
      'Create a workspace and print its id. The password of the owner is read from standard input.',
    )
    .requiredOption('--name <name>', 'name of the workspace, 1 to 256 characters')
    .requiredOption('--owner-email <email>', 'e-mail address of the owner')
    .action(async ({ name, ownerEmail }: { name: string; ownerEmail: string }) => {
      const { createWorkspace: make } = await import('../workspaces.js');
      finish(await make(readConfig(), { name, email: ownerEmail }));
    });
}
