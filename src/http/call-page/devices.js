// Selects the microphone, camera and speaker of the call.

/** The track kind for each kind of device. */
const TRACK_KINDS = { audioinput: 'audio', videoinput: 'video' };

const REDRAW_MS = 500;

export class Devices {
  #speaker = '';
  #isOver = false;
  /** The chosen camera while it is off; undefined while it is on. */
  #restingCamera;
  /** Changes of devices run one after another. */
  #changes = Promise.resolve();

  /**
   * `media` is the stream that this participant sends. `connections` returns the peer connections that send it, `videos`
   * returns the elements that play the other participants, and `report` shows a failure.
   */
  constructor({ media, connections, videos, report }) {
    this.media = media;
    this.connections = connections;
    this.videos = videos;
    this.report = report;
    this.selects = [...document.querySelectorAll('select[data-kind]')];
    for (const select of this.selects) select.addEventListener('change', () => this.#choose(select));
    navigator.mediaDevices.addEventListener('devicechange', () => this.#follow().catch(report));
    this.#list().catch(report);
  }

  /** Mutes the microphone without releasing it, or stops the camera, so that its light goes off. */
  turn(kind, isOn) {
    if (kind === 'video') return this.#next(() => (isOn ? this.#wakeCamera() : this.#restCamera()));
    for (const track of this.media.getTracks()) if (track.kind === kind) track.enabled = isOn;
    return Promise.resolve();
  }

  /** Plays the sound of a video on the chosen speaker. */
  async attach(video) {
    if (this.#speaker !== '') await video.setSinkId(this.#speaker);
  }

  stop() {
    this.#isOver = true;
    for (const track of this.media.getTracks()) track.stop();
  }

  /** Lists the devices. Browsers name them once the user has allowed one. */
  async #list() {
    const all = await navigator.mediaDevices.enumerateDevices();
    for (const select of this.selects) {
      const { kind, name } = select.dataset;
      const found = all.filter((device) => device.kind === kind && device.deviceId !== '');
      const options = found.map(
        ({ deviceId, label }, index) => new Option(label || `${name} ${index + 1}`, deviceId),
      );
      select.replaceChildren(...options);
      select.value = this.#current(kind);
      if (select.selectedIndex < 0) select.selectedIndex = 0;
      select.disabled = false;
      const canChoose = kind !== 'audiooutput' || 'setSinkId' in HTMLMediaElement.prototype;
      select.closest('label').hidden = found.length === 0 || !canChoose;
    }
  }

  #current(kind) {
    if (kind === 'audiooutput') return this.#speaker || 'default';
    if (kind === 'videoinput' && this.#restingCamera !== undefined) return this.#restingCamera;
    return this.#trackOf(kind)?.getSettings().deviceId ?? '';
  }

  #trackOf(kind) {
    return this.media.getTracks().find((track) => track.kind === TRACK_KINDS[kind]);
  }

  async #choose(select) {
    const { kind } = select.dataset;
    select.disabled = true;
    try {
      if (kind === 'audiooutput') await this.#speakWith(select.value);
      else await this.#next(() => this.#take(kind, { deviceId: { exact: select.value } }));
    } catch (error) {
      this.report(error);
    }
    await this.#list().catch(this.report);
  }

  async #speakWith(id) {
    await Promise.all(this.videos().map((video) => video.setSinkId(id)));
    this.#speaker = id;
  }

  /** Runs a change after the previous ones, even after one that failed. */
  #next(change) {
    const done = this.#changes.then(change);
    this.#changes = done.catch(() => undefined);
    return done;
  }

  /** Replaces the present device by another one. A camera that is off stays off. */
  async #take(kind, constraints) {
    if (kind === 'videoinput' && this.#restingCamera !== undefined) {
      if (constraints !== true) this.#restingCamera = constraints.deviceId.exact;
      return;
    }
    const name = TRACK_KINDS[kind];
    const [track] = (await navigator.mediaDevices.getUserMedia({ [name]: constraints })).getTracks();
    if (this.#isOver) return track.stop();
    track.enabled = this.#trackOf(kind)?.enabled ?? true;
    await this.#put(kind, track);
  }

  /** Replaces the camera by black pictures. Without any picture, browsers of other participants would keep the last one. */
  async #restCamera() {
    const camera = this.#trackOf('videoinput');
    if (camera === undefined || this.#restingCamera !== undefined) return;
    this.#restingCamera = camera.getSettings().deviceId ?? '';
    camera.stop();
    await this.#put('videoinput', blackPicture());
  }

  /** Turns on the chosen camera, or another one if it is gone. The camera stays off if the browser refuses. */
  async #wakeCamera() {
    if (this.#restingCamera === undefined) return;
    const video = this.#restingCamera === '' || { deviceId: { ideal: this.#restingCamera } };
    const [track] = (await navigator.mediaDevices.getUserMedia({ video })).getTracks();
    if (this.#isOver) return track.stop();
    this.#restingCamera = undefined;
    await this.#put('videoinput', track);
  }

  /** Replaces the present track by another one on all connections, and stops the former track. */
  async #put(kind, track) {
    const former = this.#trackOf(kind);
    this.media.addTrack(track);
    if (former === undefined) return;
    this.media.removeTrack(former);
    const senders = this.connections().flatMap((connection) => connection.getSenders());
    await Promise.all(
      senders.filter((sender) => sender.track === former).map((sender) => sender.replaceTrack(track)),
    );
    former.stop();
  }

  /** Replaces a device that was unplugged by the one that the browser prefers. */
  async #follow() {
    for (const kind of Object.keys(TRACK_KINDS)) {
      if (this.#trackOf(kind)?.readyState === 'ended' && !this.#isOver)
        await this.#next(() => this.#take(kind, true));
    }
    await this.#list();
  }
}

/** A track of black pictures. It is drawn repeatedly, so that participants who join later also get a picture. */
function blackPicture() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
  const picture = canvas.getContext('2d');
  const draw = () => picture.fillRect(0, 0, canvas.width, canvas.height);
  draw();
  const [track] = canvas.captureStream().getVideoTracks();
  const timer = setInterval(() => (track.readyState === 'live' ? draw() : clearInterval(timer)), REDRAW_MS);
  return track;
}
