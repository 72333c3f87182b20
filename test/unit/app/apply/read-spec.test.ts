import { describe, expect, it } from 'vitest';
import { parseSpec, SpecError } from '../../../../src/app/apply/read-spec.js';

const problemsOf = (text: string): readonly string[] => {
  try {
    parseSpec('bridge.yaml', text);
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.problems;
    throw error;
  }
};

const WHOLE = `version: 1
workspaces:
  - name: Acme
    owner: { email: ada@acme.example, password: "\${ENV:PASSWORD}" }
    members:
      - email: bob@acme.example
        role: viewer
      - { bot: reports, role: member }
    connections:
      - name: Support
        platform: telegram
        credentials:
          bot_token: \${FILE:secrets/telegram}
    webhooks:
      - url: https://acme.example/hook
        events: [message.created]
        secret: \${ENV:HOOK}
        headers: { X-Token: "\${ENV:TOKEN}" }
    keys:
      - { name: Backend, scopes: all }
`;

describe('a file for trunkline apply', () => {
  it('is read with its references, which are not resolved', () => {
    const { spec } = parseSpec('bridge.yaml', WHOLE);
    const [workspace] = spec.workspaces;
    expect(workspace?.connections?.[0]?.credentials).toEqual({ bot_token: '${FILE:secrets/telegram}' });
    expect(workspace?.keys?.[0]).toMatchObject({ environment: 'live' });
    expect(workspace?.keys?.[0]?.scopes).toContain('messages:write');
    expect(spec.workspaces).toHaveLength(1);
  });

  it('is refused with the line and name of an unknown, invalid or missing field', () => {
    expect(problemsOf(WHOLE.replace('role: viewer', 'rôle: viewer'))).toEqual([
      ':6: workspaces.0.members.0.role: Invalid option: expected one of "owner"|"admin"|"member"|"viewer"',
      ':7: workspaces.0.members.0.rôle: there is no such field',
    ]);
    expect(problemsOf(WHOLE.replace('scopes: all', 'scopes: [messages:read, everything]'))).toEqual([
      expect.stringMatching(/^:20: workspaces\.0\.keys\.0\.scopes\.1: Invalid option/),
    ]);
  });

  it('may contain secrets as references only, and its errors do not repeat a plain secret', () => {
    for (const place of ['${ENV:PASSWORD}', '${ENV:HOOK}', '${ENV:TOKEN}']) {
      const problems = problemsOf(WHOLE.replace(place, 'hunter22hunter22'));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('must be a reference such as ${ENV:NAME}');
      expect(problems[0]).not.toContain('hunter22');
    }
  });

  it.each(['name: ${ENV:NAME}', 'name: "${env:name}"', 'name: "${HOME}"'])(
    'is refused if its name is a reference: %s',
    (text) => {
      expect(problemsOf(WHOLE.replace('name: Acme', text))).toEqual([
        ':3: workspaces.0.name: a reference is allowed in owner.password, credentials, secret and headers only',
      ]);
    },
  );

  it('is refused with a duplicate entry of a list, or a member with both email and bot', () => {
    expect(problemsOf(WHOLE.replace('bot: reports', 'email: BOB@acme.example'))).toEqual([
      ':8: workspaces.0.members.1: is in this list already',
    ]);
    expect(problemsOf(WHOLE.replace('bot: reports', 'bot: reports, email: c@acme.example'))[0]).toMatch(
      /^:8: workspaces\.0\.members\.1: must have email for a person or bot for a bot/,
    );
  });

  it.each([
    ['two keys of one name', 'version: 1\nversion: 1\n', ':2: Map keys must be unique'],
    ['a tag', 'version: !!js/function 1\n', ':1: Unresolved tag'],
    ['no map', '- 1\n', ':1: the file: Invalid input: expected object'],
    ['another version', 'version: 2\nworkspaces: [{name: A}]\n', ':1: version: must be 1'],
    ['nothing', '', ':1: the file: Invalid input: expected object'],
    ['two documents', 'version: 1\n---\nversion: 1\n', ':2: Source contains multiple documents'],
  ])('is refused with %s', (_, text, problem) => {
    expect(problemsOf(text)[0]).toContain(problem);
  });

  it('is refused if its aliases multiply excessively', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`).slice(
      1,
    );
    const problems = problemsOf(`a0: &a0 [x]\n${levels.join('\n')}\n`);
    expect(problems).toEqual([': Excessive alias count indicates a resource exhaustion attack.']);
  });
});
