// Joins a call with a WebSocket for signaling and a peer connection to each other participant. Participants who are already in
// the call send offers to those who join, so that two offers never cross.

import { Devices } from './devices.js';
import { watchQuality } from './quality.js';

const root = document.getElementById('call');
const { callId, type, url, places, texts } = JSON.parse(root.dataset.call);
const people = document.getElementById('people');
const status = document.getElementById('status');
const names = new Map(places.map(({ userId, name }) => [userId, name]));
const RECONNECT_MS = 1_000;
/** Errors after which the service may accept the same frame. */
const TEMPORARY = new Set(['server_error', 'service_unavailable', 'rate_limit_exceeded']);
/** Maximum number of times that a frame is sent. The service ends calls after an outage of a minute. */
const MAX_TRIES = 30;

/** @type {Map<string, { connection: RTCPeerConnection, figure: HTMLElement, waiting: object[] }>} */
const peers = new Map();
/** Frames that the service has not answered yet, by their `ref`. */
const requests = new Map();
let requestCount = 0;
let place;
let media;
let devices;
let stopWatching;
let socket;
let over = false;

for (const button of root.querySelectorAll('[data-place]')) {
  button.addEventListener('click', () => start(places[Number(button.dataset.place)]));
}
document.getElementById('leave').addEventListener('click', leave);
turns('mute', 'audio', texts.mute, texts.unmute);
turns('camera', 'video', texts.cameraOff, texts.cameraOn);

async function start(chosen) {
  place = chosen;
  document.getElementById('places').hidden = true;
  try {
    media = await navigator.mediaDevices.getUserMedia({ audio: true, video: type === 'video' });
  } catch (error) {
    report(error);
    document.getElementById('places').hidden = false;
    return;
  }
  people.hidden = false;
  document.getElementById('controls').hidden = false;
  devices = new Devices({
    media,
    connections: () => [...peers.values()].map(({ connection }) => connection),
    videos: () => [...peers.values()].map(({ figure }) => figure.querySelector('video')),
    report,
  });
  stopWatching = watchQuality(peers, texts);
  show(figureOf(place.name, true), media);
  connect();
}

function connect() {
  requests.clear();
  say(texts.connecting);
  socket = new WebSocket(url, ['trunkline.rtc.v1', `trunkline.token.${place.token}`]);
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
  socket.addEventListener('close', ({ code }) => lost(code));
}

/** After a restart of the service or a network failure, connects again. Existing peer connections continue in the meantime. */
function lost(code) {
  if (over) return;
  if (code === 1006 || code < 4000) setTimeout(connect, RECONNECT_MS);
  else finish(texts.lost);
}

function send(frame) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ call_id: callId, ...frame }));
}

/**
 * Sends the frame that `make` returns and expects an answer. After a temporary error, it is made and sent again until it
 * has no use any more, which `make` shows by undefined.
 */
function request(make, tries = 1) {
  const frame = make();
  if (frame === undefined) return;
  requestCount += 1;
  const ref = String(requestCount);
  requests.set(ref, { type: frame.type, make, tries });
  send({ ...frame, ref });
}

function acknowledged({ ref }) {
  if (requests.get(ref)?.type === 'join') say(texts.inCall);
  requests.delete(ref);
}

/** An error concerns the frame that it answers. Only some errors end the call. */
function refused({ ref, error, message, details }) {
  const refusal = requests.get(ref);
  requests.delete(ref);
  if (over) return;
  const isJoin = refusal?.type === 'join';
  if (!TEMPORARY.has(error)) {
    if (isJoin || isFatal(error, details)) finish(message);
  } else if (refusal !== undefined && refusal.tries < MAX_TRIES) {
    const usedSocket = socket;
    const again = () => usedSocket === socket && !over && request(refusal.make, refusal.tries + 1);
    // Frames that failed together are not sent together, because a socket may send 50 per second.
    setTimeout(again, RECONNECT_MS * (1 + 2 * Math.random()));
  } else if (isJoin) finish(message);
}

/** Whether the call is over, or this participant is no longer in it. */
function isFatal(error, details) {
  if (error === 'not_found') return details?.field === undefined;
  return ['conflict', 'unauthorized', 'access_denied'].includes(error);
}

async function receive(frame) {
  if (frame.call_id !== undefined && frame.call_id !== callId) return;
  switch (frame.type) {
    case 'ready':
      request(() => ({ type: 'join' }));
      break;
    case 'ack':
      acknowledged(frame);
      break;
    case 'error':
      refused(frame);
      break;
    case 'ping':
      send({ type: 'pong' });
      break;
    case 'joined':
      await offer(frame.user_id);
      break;
    case 'offer':
      await answer(frame.from, frame.payload);
      break;
    case 'answer':
      await settle(frame.from, frame.payload);
      break;
    case 'candidate':
      await addCandidate(frame.from, frame.payload);
      break;
    case 'left':
    case 'declined':
      forget(frame.user_id);
      break;
    case 'ended':
      if (frame.call.id === callId) finish(texts.over);
      break;
  }
}

function open(userId) {
  forget(userId);
  const connection = new RTCPeerConnection({ iceServers: place.iceServers });
  const peer = { connection, figure: figureOf(names.get(userId) ?? texts.participant, false), waiting: [] };
  peers.set(userId, peer);
  devices.attach(peer.figure.querySelector('video')).catch(report);
  for (const track of media.getTracks()) connection.addTrack(track, media);
  connection.addEventListener('track', ({ streams }) => show(peer.figure, streams[0]));
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate !== null) request(() => frameTo(userId, peer, 'candidate', candidate));
  });
  return peer;
}

/** A frame to a participant. Undefined after the connection to them was replaced or closed. */
function frameTo(userId, peer, type, payload) {
  return peers.get(userId) === peer ? { type, to: userId, payload: payload.toJSON() } : undefined;
}

async function offer(userId) {
  const peer = open(userId);
  const { connection } = peer;
  await connection.setLocalDescription();
  // A later description has the candidates that the participant could not use without it.
  const isUnanswered = () => connection.signalingState === 'have-local-offer';
  request(() => (isUnanswered() ? frameTo(userId, peer, 'offer', connection.localDescription) : undefined));
}

async function answer(userId, description) {
  const peer = open(userId);
  await settlePeer(peer, description);
  await peer.connection.setLocalDescription();
  request(() => frameTo(userId, peer, 'answer', peer.connection.localDescription));
}

async function settle(userId, description) {
  const peer = peers.get(userId);
  if (peer?.connection.signalingState === 'have-local-offer') await settlePeer(peer, description);
}

async function settlePeer(peer, description) {
  await peer.connection.setRemoteDescription(description);
  for (const candidate of peer.waiting.splice(0)) await peer.connection.addIceCandidate(candidate);
}

/** A candidate may arrive before the description to which it belongs. */
async function addCandidate(userId, candidate) {
  const peer = peers.get(userId);
  if (peer === undefined) return;
  if (peer.connection.remoteDescription === null) peer.waiting.push(candidate);
  else await peer.connection.addIceCandidate(candidate);
}

function forget(userId) {
  const peer = peers.get(userId);
  peers.delete(userId);
  peer?.connection.close();
  peer?.figure.remove();
}

function leave() {
  send({ type: 'leave' });
  finish(texts.left);
}

/** A button that turns the tracks of a kind off and on. A voice call has no button for the camera. */
function turns(id, kind, off, on) {
  const button = document.getElementById(id);
  button?.addEventListener('click', async () => {
    const isOff = button.getAttribute('aria-pressed') !== 'true';
    button.disabled = true;
    try {
      await devices.turn(kind, !isOff);
      button.setAttribute('aria-pressed', String(isOff));
      button.textContent = isOff ? on : off;
    } catch (error) {
      report(error);
    }
    button.disabled = false;
  });
}

function finish(message) {
  over = true;
  for (const userId of [...peers.keys()]) forget(userId);
  stopWatching?.();
  devices?.stop();
  socket?.close();
  people.hidden = true;
  document.getElementById('controls').hidden = true;
  say(message);
}

function figureOf(name, own) {
  const figure = document.createElement('figure');
  const video = document.createElement('video');
  video.autoplay = true;
  video.playsInline = true;
  video.muted = own;
  video.classList.toggle('voice', type === 'voice');
  const caption = document.createElement('figcaption');
  const label = document.createElement('span');
  label.textContent = own ? texts.you.replace('{name}', () => name) : name;
  caption.append(label);
  if (!own) caption.append(document.getElementById('quality').content.cloneNode(true));
  figure.append(video, caption);
  people.append(figure);
  return figure;
}

function show(figure, stream) {
  figure.querySelector('video').srcObject = stream;
}

/** Reports a device that is missing, in use elsewhere or not allowed. */
function report(error) {
  if (!over) say(texts.deviceFailed.replace('{reason}', () => error.message));
}

function say(text) {
  status.textContent = text;
}
