// The microphone, camera and loudspeaker of the call, and the choice of others.

/** How a kind of device is called in a stream. */
const TRACK_KINDS = { audioinput: 'audio', videoinput: 'video' };

export class Devices {
  #speaker = '';
  #isOver = false;

  /**
   * `media` is what the person sends, `connections` returns the connections over which it goes, `videos` the elements that play
   * the others, and `report` tells the person of a failure.
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

  /** Silences the microphone or blackens the camera. The browser keeps the device. */
  turn(kind, isOn) {
    for (const track of this.media.getTracks()) if (track.kind === kind) track.enabled = isOn;
  }

  /** Plays on the chosen loudspeaker. */
  async attach(video) {
    if (this.#speaker !== '') await video.setSinkId(this.#speaker);
  }

  stop() {
    this.#isOver = true;
    for (const track of this.media.getTracks()) track.stop();
  }

  /** Browsers name devices once the person has allowed one. */
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
      else await this.#take(kind, { deviceId: { exact: select.value } });
    } catch (error) {
      this.report(error);
    }
    await this.#list().catch(this.report);
  }

  async #speakWith(id) {
    await Promise.all(this.videos().map((video) => video.setSinkId(id)));
    this.#speaker = id;
  }

  /** Puts another device in the place of the present one, on all connections. */
  async #take(kind, constraints) {
    const name = TRACK_KINDS[kind];
    const [track] = (await navigator.mediaDevices.getUserMedia({ [name]: constraints })).getTracks();
    if (this.#isOver) return track.stop();
    const former = this.#trackOf(kind);
    track.enabled = former?.enabled ?? true;
    this.media.addTrack(track);
    if (former === undefined) return;
    this.media.removeTrack(former);
    const senders = this.connections().flatMap((connection) => connection.getSenders());
    await Promise.all(
      senders.filter((sender) => sender.track === former).map((sender) => sender.replaceTrack(track)),
    );
    former.stop();
  }

  /** In the place of a device that was unplugged comes the one that the browser prefers. */
  async #follow() {
    for (const kind of Object.keys(TRACK_KINDS)) {
      if (this.#trackOf(kind)?.readyState === 'ended' && !this.#isOver) await this.#take(kind, true);
    }
    await this.#list();
  }
}
