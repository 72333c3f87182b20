import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, type Json } from '../support/api-client.js';
import { Browser, type Invited, invite, ownerBrowser } from '../support/browser.js';
import { sharedDatabase } from '../support/postgres.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const STEP_MS = 30_000;

const database = sharedDatabase();
let service: SharedService;
let owner: Browser;

beforeAll(async () => {
  service = await shareService();
  owner = await ownerBrowser(service);
});
afterAll(() => database.drop());

/** An authenticator app. The service also accepts the code of the next step, and still does when that step has begun. */
class App {
  constructor(private readonly secret: string) {}

  code(stepsAhead = 0): string {
    const timestamp = Date.now() + stepsAhead * STEP_MS;
    return new TOTP({ secret: Secret.fromBase32(this.secret) }).generate({ timestamp });
  }

  wrongCode(): string {
    const right = [-2, -1, 0, 1, 2].map((steps) => this.code(steps));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !right.includes(code),
    ) as string;
  }
}

interface Enrolled extends Invited {
  readonly app: App;
  readonly recoveryCodes: readonly string[];
}

/** A person who turned on the second step with the current code. The code of the next step is unused. */
async function enrolled(name: string): Promise<Enrolled> {
  const person = await invite(service, owner, name);
  const { secret } = await person.browser.must<{ secret: string }>(201, 'POST', '/second-step', {
    password: person.password,
  });
  const app = new App(secret);
  const { recovery_codes: recoveryCodes } = await person.browser.must<{ recovery_codes: string[] }>(
    200,
    'POST',
    '/second-step/confirm',
    { code: app.code() },
  );
  return { ...person, app, recoveryCodes };
}

/** Sends the password alone, in a new browser. */
async function passwordOf({ email, password }: Invited): Promise<{ browser: Browser; token: string }> {
  const browser = new Browser(service);
  const answer = await browser.must<{ second_step: { token: string } }>(202, 'POST', '/session', {
    email,
    password,
  });
  expect([browser.cookie, (answer as unknown as Json).csrf_token]).toEqual([undefined, undefined]);
  return { browser, token: answer.second_step.token };
}

const prove = (browser: Browser, token: string, code: string) =>
  browser.post('/session/second-step', { token, code });

/** The response to the password and this code. */
async function signIn(person: Invited, code: string) {
  const { browser, token } = await passwordOf(person);
  return prove(browser, token, code);
}

describe('the second step of a sign-in', () => {
  it('is turned on by a code of the app, and returns ten recovery codes', async () => {
    const ann = await invite(service, owner, 'ann');
    const off = { enabled: false, enabled_at: null, recovery_codes_left: 0 };
    expect((await ann.browser.get('/second-step')).body).toEqual(off);
    const wrong = await ann.browser.post('/second-step', { password: 'not the password' });
    expect(fieldsOf(wrong)).toEqual([['password', 'invalid_value']]);
    const begun = await ann.browser.must<{ secret: string; uri: string }>(201, 'POST', '/second-step', {
      password: ann.password,
    });
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.uri).toContain(
      `otpauth://totp/Trunkline:${encodeURIComponent(ann.email)}?issuer=Trunkline&secret=${begun.secret}`,
    );
    const app = new App(begun.secret);
    const refused = await ann.browser.post('/second-step/confirm', { code: app.wrongCode() });
    expect(fieldsOf(refused)).toEqual([['code', 'invalid_value']]);
    expect((await ann.browser.get('/second-step')).body).toEqual(off);
    await new Browser(service).signIn(ann.email, ann.password);
    const code = app.code();
    const { recovery_codes: codes } = await ann.browser.must<{ recovery_codes: string[] }>(
      200,
      'POST',
      '/second-step/confirm',
      { code },
    );
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const on = { enabled: true, enabled_at: expect.any(String), recovery_codes_left: 10 };
    expect((await ann.browser.get('/second-step')).body).toEqual(on);
    const again = await ann.browser.post('/second-step', { password: ann.password });
    expect([again.status, (again.body.details as Json).reason]).toEqual([409, 'invalid_state']);
    expect((await signIn(ann, code)).status).toBe(400);
    expect((await signIn(ann, app.code(1))).status).toBe(200);
  });

  it('opens the session with a code, and refuses the same code and an older one afterwards', async () => {
    const bea = await enrolled('bea');
    const [earlier, code] = [bea.app.code(), bea.app.code(1)];
    const { browser, token } = await passwordOf(bea);
    expect((await browser.get('/session')).status).toBe(401);
    const answer = await prove(browser, token, code);
    expect([answer.status, (answer.body.user as Json)?.id]).toEqual([200, bea.id]);
    expect((await browser.get('/session')).status).toBe(200);
    for (const used of [code, earlier]) {
      const refused = await signIn(bea, used);
      expect([refused.status, fieldsOf(refused)]).toEqual([400, [['code', 'invalid_value']]]);
    }
  });

  it('accepts a code in only one of several concurrent sign-ins', async () => {
    const cid = await enrolled('cid');
    const code = cid.app.code(1);
    const begun = await Promise.all([passwordOf(cid), passwordOf(cid), passwordOf(cid)]);
    const answers = await Promise.all(begun.map(({ browser, token }) => prove(browser, token, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('accepts each recovery code once, also without hyphens and in capital letters', async () => {
    const dan = await enrolled('dan');
    const [first = '', second = ''] = dan.recoveryCodes;
    expect((await signIn(dan, first)).status).toBe(200);
    expect((await signIn(dan, first)).status).toBe(400);
    expect((await signIn(dan, second.replaceAll('-', '').toUpperCase())).status).toBe(200);
    expect((await dan.browser.get('/second-step')).body).toMatchObject({ recovery_codes_left: 8 });
    const path = '/audit-log?filter=action:recovery_code.used';
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', path);
    const entry = { actor: { type: 'member', id: dan.id }, object: { type: 'user', id: dan.id } };
    expect(data).toMatchObject([entry, entry]);
  });

  it('allows five wrong codes in a quarter of an hour, even if the password is correct each time', async () => {
    const eve = await enrolled('eve');
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await signIn(eve, eve.app.wrongCode())).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await signIn(eve, eve.app.code(1))).status).toBe(429);
    expect((await signIn(eve, eve.recoveryCodes[0] ?? '')).status).toBe(429);
  });

  it('requires a token of the same user that was issued for the current password', async () => {
    const [fay, gil] = [await enrolled('fay'), await enrolled('gil')];
    const { browser, token } = await passwordOf(fay);
    expect((await prove(browser, token, gil.app.code(1))).status).toBe(400);
    expect((await prove(browser, `${token.slice(0, -4)}AAAA`, fay.app.code(1))).status).toBe(401);
    const change = { current_password: fay.password, new_password: 'another password of fay' };
    await fay.browser.must(204, 'PUT', '/password', change);
    expect((await prove(browser, token, fay.app.code(1))).status).toBe(401);
  });

  it('is turned off with password and code, and issues new recovery codes in the same way', async () => {
    const hal = await enrolled('hal');
    const { browser, password, app } = hal;
    const noCode = await browser.post('/second-step/disable', { password, code: app.wrongCode() });
    expect(fieldsOf(noCode)).toEqual([['code', 'invalid_value']]);
    const noPassword = await browser.post('/second-step/disable', { password: 'wrong', code: app.code() });
    expect(fieldsOf(noPassword)).toEqual([['password', 'invalid_value']]);
    const renewed = { password, code: app.code(1) };
    const { recovery_codes: codes } = await browser.must<{ recovery_codes: string[] }>(
      200,
      'POST',
      '/second-step/recovery-codes',
      renewed,
    );
    expect((await signIn(hal, hal.recoveryCodes[0] ?? '')).status).toBe(400);
    await browser.must(204, 'POST', '/second-step/disable', { password, code: codes[0] });
    expect((await browser.get('/second-step')).body).toMatchObject({
      enabled: false,
      recovery_codes_left: 0,
    });
    await new Browser(service).signIn(hal.email, password);
  });

  it('is turned off by an owner for a member, whose sessions end, but not by owners for themselves', async () => {
    const ida = await enrolled('ida');
    const twoStep = async () => {
      const { enabled } = await owner.must<Json>(200, 'GET', `/members/${ida.id}/second-step`);
      return enabled;
    };
    expect(await twoStep()).toBe(true);
    await owner.must(204, 'DELETE', `/members/${ida.id}/second-step`);
    expect(await twoStep()).toBe(false);
    expect((await ida.browser.get('/session')).status).toBe(401);
    await new Browser(service).signIn(ida.email, ida.password);
    const session = await owner.must<{ user: Json }>(200, 'GET', '/session');
    expect((await owner.delete(`/members/${session.user.id}/second-step`)).status).toBe(409);
  });

  it('is turned off on the command line, which ends the sessions of the user', async () => {
    const kim = await enrolled('kim');
    expect(await service.run('users', 'reset-two-step', kim.email)).toBe('Two-step sign-in is off.');
    expect((await kim.browser.get('/session')).status).toBe(401);
    await new Browser(service).signIn(kim.email, kim.password);
    await expect(service.run('users', 'reset-two-step', kim.email)).rejects.toThrow(
      'has two-step sign-in on',
    );
  });

  it('keeps the secret sealed and the recovery codes as hashes', async () => {
    const jan = await enrolled('jan');
    const { rows } = await database.pool.query<{ row: string }>(
      `SELECT row_to_json(s)::text AS row FROM second_steps s WHERE user_id = $1
       UNION ALL SELECT row_to_json(c)::text FROM recovery_codes c WHERE user_id = $1`,
      [jan.id],
    );
    expect(rows).toHaveLength(11);
    const kept = rows.map(({ row }) => row).join();
    for (const code of jan.recoveryCodes) {
      const hex = Buffer.from(code.replaceAll('-', '')).toString('hex');
      expect(kept.includes(code) || kept.includes(hex)).toBe(false);
    }
  });
});
