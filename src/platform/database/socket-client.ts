import { Socket } from 'node:net'
import pg from 'pg'

/** A client that can hold statements back, so that they are sent together. With TLS, each is sent at once nevertheless. */
export class SocketClient extends pg.Client {
  private readonly socket: Socket
  private isBatching = false

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket()
    // The pool hides the password from copies of its options.
    super({ ...config, password: config?.password, stream: () => socket })
    this.socket = socket
  }

  cork(): void {
    this.socket.cork()
  }

  uncork(): void {
    this.socket.uncork()
  }

  /** Sends the statements of this moment together: those until all pending promises have been continued. */
  batchStatements(): void {
    if (this.isBatching) return
    this.isBatching = true
    this.cork()
    process.nextTick(() => {
      this.isBatching = false
      this.uncork()
    })
  }
}
