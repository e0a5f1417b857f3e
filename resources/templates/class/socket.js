// The connection to the host. It is made again after it is lost, sooner at first and then less often.

const FIRST = 400, MOST = 8000;

export class Socket {
  /**
   * @param {{opened: () => object[], frame: (frame: object) => void, changed: (state: string) => void, idle: () =>
   *   boolean}} told what to send first, what to do with a frame, and with the state ("connecting", "open", "lost",
   *   "idle" or "closed"), and whether a connection that has ended is made again only when it is needed.
   */
  constructor(told) {
    this.told = told;
    this.state = "connecting";
    this.wait = FIRST;
    this.last = Date.now();
    const soon = () => { if (this.state === "lost" && document.visibilityState === "visible") this.connect(); };
    addEventListener("online", soon);
    document.addEventListener("visibilitychange", soon);
    this.connect();
  }
  connect() {
    clearTimeout(this.timer);
    if (this.state === "closed" || (this.socket && this.socket.readyState < 2)) return;
    const secure = location.protocol === "https:";
    const socket = new WebSocket(`${secure ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.change("open");
      this.held = true;
      for (const frame of this.told.opened()) this.send(frame);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket || typeof data !== "string") return;
      this.wait = FIRST;
      for (const line of data.split("\n")) {
        if (!line.trim()) continue;
        let frame;
        try { frame = JSON.parse(line); } catch { continue; }
        if (frame && typeof frame.kind === "string") this.told.frame(frame);
      }
    };
    socket.onclose = () => {
      if (socket !== this.socket || this.state === "closed") return;
      if (this.held && this.told.idle()) { this.held = false; this.change("idle"); return; }
      this.held = false;
      this.change("lost");
      this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(MOST, this.wait * 1.8);
    };
  }
  change(state) {
    if (state === this.state) return;
    this.state = state;
    this.told.changed(state);
  }
  /** Send a frame if the connection is open; return whether it was. */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }
  /** Close the connection for good. */
  close() {
    this.change("closed");
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
