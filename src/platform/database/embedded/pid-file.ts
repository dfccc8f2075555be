import { readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hasCode, readIfExists } from './file-access.ts'
import { run, socketName } from './process.ts'

export interface PidFile {
  pid: number
  socketDir: string
  ready: boolean
  text: string
}

/** What PostgreSQL wrote into the data folder about the server that runs, or ran, there. */
export async function readPidFile(dataFolder: string): Promise<PidFile | undefined> {
  const text = await readIfExists(join(dataFolder, 'postmaster.pid'))
  if (text === undefined) return undefined
  const lines = text.split('\n').map(line => line.trim())
  // A server in single-user mode writes its process id as a negative number.
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isInteger(pid) || pid === 0) return undefined
  return { pid, socketDir: lines[4] ?? '', ready: lines[7] === 'ready', text }
}

/** True if this process is a live PostgreSQL server on this data folder, and not another one with a reused id. */
export async function isServerOn(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { output } = await run(['ps', '-ww', '-o', 'stat=,command=', '-p', String(pid)])
    return !output.trim().startsWith('Z') && output.includes('postgres') && output.includes(dataFolder)
  }
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The state follows the program's name, which is in brackets and may hold blanks and brackets itself.
    if (['Z', 'X'].includes(status.charAt(status.lastIndexOf(')') + 2))) return false
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (basename(command[0] ?? '') !== 'postgres') return false
    if (command.includes(dataFolder)) return true
    // The same folder may have another path there. The server runs with it as working directory.
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dataFolder)])
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return false
    throw error
  }
}

/**
 * Removes the lock files of a server that is gone but whose process id is in use again: PostgreSQL would trust them.
 * The file is moved away before it is checked, so that one written by a server starting right now is put back.
 */
export async function removeStaleLocks(stale: PidFile, dataFolder: string, socketDir: string): Promise<void> {
  const path = join(dataFolder, 'postmaster.pid')
  const aside = `${path}.stale-${process.pid}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if ((await readFile(aside, 'utf8')) !== stale.text) return rename(aside, path)
  await rm(aside)
  const socketLock = join(socketDir, `${socketName}.lock`)
  const socketText = await readIfExists(socketLock)
  if (socketText !== undefined && Number.parseInt(socketText, 10) === stale.pid) await rm(socketLock, { force: true })
}
