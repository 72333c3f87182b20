import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.js';

/** The commands without further commands, by what a user types. */
function leavesOf(command: Command, words: readonly string[] = []): [string, Command][] {
  const path = [...words, command.name()];
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((child) => leavesOf(child, path));
}

const commands = leavesOf(buildProgram(() => undefined));

describe('The commands', () => {
  it('are listed once each on their page', () => {
    const page = readFileSync('docs/commands.md', 'utf8');
    const listed = [...page.matchAll(/^\| `(trunkline [a-z -]+)` \|/gm)].map(([, command]) => command);
    expect(commands.length).toBeGreaterThan(30);
    expect(listed.sort()).toEqual(commands.map(([name]) => name).sort());
  });

  it('have a help that describes every argument and option, without empty defaults', () => {
    for (const [name, command] of commands) {
      const help = command.helpInformation();
      expect(help, name).not.toMatch(/default: (?:false|\[\])/);
      expect(command.description(), name).toMatch(/\.$/);
      for (const { description } of [...command.options, ...command.registeredArguments])
        expect(description, name).not.toBe('');
    }
  });
});
