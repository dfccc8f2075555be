import type { Log } from '../../log.ts'
import type { Binaries } from './bundled-binaries.ts'
import type { Runner } from './runner.ts'

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** How many processes use it, besides commands. */
  processes?: number
  /** The folder of PostgreSQL's programs, if one is configured. */
  postgresBin?: string | undefined
  /** Where to look for the system's programs. */
  systemFolder?: string | undefined
  /** Called when the first program of PostgreSQL was launched, `initdb` or the server; not if the server was running already. */
  onLaunch?: (() => void) | undefined
}

/** Everything that is known about a data folder before a server runs on it. */
export interface ServerContext {
  dataDir: string
  /** PostgreSQL's own folder. */
  dataFolder: string
  socketDir: string
  binaries: Binaries
  runner: Runner
  processes: number
  log: Log
  onLaunch: (() => void) | undefined
}
