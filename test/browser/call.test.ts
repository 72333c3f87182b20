import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { type Service, startService } from '../support/service.js';

/** Both pictures on the page come from a camera and move. */
const PICTURES_MOVE = `
  [...document.querySelectorAll('video')].length === 2 &&
  [...document.querySelectorAll('video')].every((video) => video.videoWidth > 0 && video.currentTime > 0.2)`;

const PEER_PLAYS = `[...document.querySelectorAll('video')].some((video) => !video.muted && video.currentTime > 0.2)`;

/** Waits for an expression in the page. The page's policy does not let it evaluate one by itself. */
const until = (page: Page, expression: string) =>
  expect.poll(() => page.evaluate(expression), { timeout: 20_000 }).toBe(true);

describe.skipIf(!hasChromium())('a call in two browsers', () => {
  let browser: Browser;
  let service: Service;
  let api: ApiClient;
  const faults: string[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startChromium('whole')]);
    api = service.client();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const statusOf = async (id: unknown) => (await api.must(200, 'GET', `/openapi/calls/${id}`)).status;

  async function ring(type: string): Promise<Json> {
    const ann = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    return api.must(201, 'POST', '/openapi/calls', { type, participant_ids: [ann.id] });
  }

  async function join(call: Json, name: RegExp, phone = false): Promise<Visitor> {
    const options = phone ? { viewport: { width: 390, height: 844 }, isMobile: true } : {};
    const visitor = await visit(browser, [service.url], options);
    await visitor.page.goto(String(call.join_url));
    await visitor.page.getByRole('button', { name }).click();
    await visitor.page.getByText('You are in the call.').waitFor();
    return visitor;
  }

  async function leave(...visitors: Visitor[]): Promise<void> {
    for (const { page, context, faults: seen } of visitors) {
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.getByText('You have left the call.').waitFor();
      await context.close();
      faults.push(...seen);
    }
  }

  it('shows each participant the video of the other, and ends when both have left', async () => {
    const call = await ring('video');
    const owner = await join(call, /^Join as owner/);
    const ann = await join(call, /^Join as Ann/, true);
    for (const { page } of [owner, ann]) await until(page, PICTURES_MOVE);
    await owner.page.getByText('Ann', { exact: true }).waitFor();
    await ann.page.getByText('Ann (you)').waitFor();
    expect(await statusOf(call.id)).toBe('active');
    expect(await ann.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await leave(ann);
    await owner.page.getByText('Ann', { exact: true }).waitFor({ state: 'detached' });
    await leave(owner);
    await eventually(
      () => statusOf(call.id),
      (status) => status === 'ended',
    );
    const gone = await fetch(String(call.join_url), { headers: { accept: 'text/html' } });
    expect(gone.status).toBe(404);
    expect(faults).toEqual([]);
  });

  it('continues after a change of devices, shows black while the camera is off, and shows its quality', async () => {
    const call = await ring('video');
    const owner = await join(call, /^Join as owner/);
    const ann = await join(call, /^Join as Ann/, true);
    await until(owner.page, PICTURES_MOVE);
    await until(owner.page, `${BRIGHTNESS} > 20`);
    await ann.page.evaluate(`window.camera = ${OWN_VIDEO}.srcObject.getVideoTracks()[0]`);
    await ann.page.getByRole('button', { name: 'Turn camera off' }).click();
    await until(owner.page, `${BRIGHTNESS} < 20`);
    // A camera whose track has ended is released, and its light goes off.
    await until(ann.page, `window.camera.readyState === 'ended'`);
    await ann.page.getByRole('button', { name: 'Turn camera on' }).click();
    await until(owner.page, `${BRIGHTNESS} > 20`);
    for (const { page } of [owner, ann])
      await until(
        page,
        `['good', 'fair', 'poor'].includes(document.querySelector('.quality').dataset.level)`,
      );
    await owner.page.getByText(/^(Good|Fair|Poor) connection$/).waitFor();
    const microphone = ann.page.getByRole('combobox', { name: 'Microphone' });
    const microphones = await microphone.locator('option').count();
    expect(microphones).toBeGreaterThan(1);
    await ann.page.getByRole('button', { name: 'Mute', exact: true }).click();
    await microphone.selectOption({ index: microphones - 1 });
    await until(ann.page, `${CHOSEN}('audioinput', 'Audio')`);
    await until(owner.page, `${HEARING}(false)`);
    await ann.page.getByRole('button', { name: 'Unmute' }).click();
    await until(owner.page, `${HEARING}(true)`);
    await ann.page.getByRole('combobox', { name: 'Camera' }).selectOption({ index: 0 });
    await until(ann.page, `${CHOSEN}('videoinput', 'Video')`);
    const speaker = ann.page.getByRole('combobox', { name: 'Speaker' });
    await speaker.selectOption({ index: (await speaker.locator('option').count()) - 1 });
    await until(
      ann.page,
      `[...document.querySelectorAll('video')].find(({ muted }) => !muted).sinkId
        === document.querySelector('[data-kind=audiooutput]').value`,
    );
    expect(await ann.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await leave(ann, owner);
    expect(faults).toEqual([]);
  });

  it('rates its quality by packet loss and round-trip time', async () => {
    const call = await ring('voice');
    const { page, context, faults: seen } = await visit(browser, [service.url], { locale: 'es' });
    await page.goto(String(call.join_url));
    await page.getByRole('button', { name: /^Unirse como owner/ }).waitFor();
    const levels = await page.evaluate(`import('/join-page/quality.js').then(({ levelOf }) => {
      const levelAfter = (received, lost, rtt) => levelOf({ received: 10, lost: 1, rtt: 0 },
        { received: 10 + received, lost: 1 + lost, rtt });
      return [levelAfter(0, 0, 0), levelAfter(100, 0, 0.01), levelAfter(97, 3, 0.01), levelAfter(100, 0, 0.3),
        levelAfter(90, 10, 0.01), levelAfter(100, 0, 0.6), levelAfter(100, -1, 0.01)];
    })`);
    expect(levels).toEqual(['none', 'good', 'fair', 'fair', 'poor', 'poor', 'good']);
    await context.close();
    faults.push(...seen);
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    expect(faults).toEqual([]);
  });

  it('transmits no sound of a muted participant, and ends for all when it is ended over the API', async () => {
    const call = await ring('voice');
    const owner = await join(call, /^Join as owner/);
    const ann = await join(call, /^Join as Ann/);
    const isLoud = (loud: boolean) => until(owner.page, `${HEARING}(${loud})`);
    await until(owner.page, PEER_PLAYS);
    await isLoud(true);
    await ann.page.getByRole('button', { name: 'Mute', exact: true }).click();
    await isLoud(false);
    await ann.page.getByRole('button', { name: 'Unmute' }).click();
    await isLoud(true);
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    for (const { page, context, faults: seen } of [owner, ann]) {
      await page.getByText('The call is over.').waitFor();
      await context.close();
      faults.push(...seen);
    }
    expect(await statusOf(call.id)).toBe('ended');
    expect(faults).toEqual([]);
  });
});

/** Whether the other participant is audible. The fake microphone beeps once a second. */
const HEARING = `(async (wanted) => {
  const { srcObject } = [...document.querySelectorAll('video')].find(({ muted }) => !muted);
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(srcObject).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let loudest = 0;
  const endsAt = performance.now() + 1_500;
  while (performance.now() < endsAt && !(wanted && loudest > 0.01)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    analyser.getFloatTimeDomainData(samples);
    loudest = Math.max(loudest, ...samples.map(Math.abs));
  }
  await context.close();
  return (loudest > 0.01) === wanted;
})`;

/** The element that shows a participant's own camera. */
const OWN_VIDEO = `[...document.querySelectorAll('video')].find(({ muted }) => muted)`;

/** How bright the picture of the other participant is, from 0 to 255. */
const BRIGHTNESS = `(() => {
  const video = [...document.querySelectorAll('video')].find(({ muted }) => !muted);
  const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 });
  const picture = canvas.getContext('2d');
  picture.drawImage(video, 0, 0, 8, 8);
  const colors = picture.getImageData(0, 0, 8, 8).data.filter((_, index) => index % 4 !== 3);
  return colors.reduce((sum, color) => sum + color, 0) / colors.length;
})()`;

/** Whether the page captures from the selected device and sends that track over the connection. */
const CHOSEN = `((kind, name) => {
  const { srcObject } = [...document.querySelectorAll('video')].find(({ muted }) => muted);
  const [track] = srcObject['get' + name + 'Tracks']();
  const select = document.querySelector('[data-kind=' + kind + ']');
  return !select.disabled && track.readyState === 'live' && track.getSettings().deviceId === select.value;
})`;
