// Which folders of dist are still needed. A running process keeps main.js of its folder open (src/main.ts), and Linux tells which
// files a process has open, also where the process itself may not write, as under systemd.
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where open files cannot be looked up (macOS, processes of another user), no build that is younger is removed. */
const keptMs = 30 * 24 * 3600 * 1000

/** Removes every folder of a build except those in `kept` and those that a running process was started from. */
export function removeOldBuilds(dist, kept) {
  const folders = readdirSync(dist, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'client' && !kept.includes(entry.name))
    .map(entry => join(dist, entry.name))
  if (folders.length === 0) return
  const { used, isComplete } = findOpenFiles()
  for (const folder of folders) {
    const main = join(folder, 'main.js')
    const isUsed =
      existsSync(main) && (used.has(fileId(main)) || (!isComplete && Date.now() - statSync(main).mtimeMs < keptMs))
    if (!isUsed) rmSync(folder, { recursive: true, force: true })
  }
}

/** The files named main.js that processes have open, by device and inode: in a container the same file has another path. */
function findOpenFiles() {
  const used = new Set()
  let isComplete = existsSync('/proc/self/fd')
  if (!isComplete) return { used, isComplete }
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      for (const id of findOpenFilesOf(pid)) used.add(id)
    } catch (error) {
      if (!['EACCES', 'EPERM'].includes(error.code)) throw error
      if (mayBeKalends(pid)) isComplete = false
    }
  }
  return { used, isComplete }
}

function findOpenFilesOf(pid) {
  const folder = `/proc/${pid}/fd`
  const names = unlessGone(() => readdirSync(folder)) ?? []
  return names.flatMap(name => {
    const target = unlessGone(() => readlinkSync(join(folder, name)))
    if (target?.endsWith('/main.js') !== true) return []
    return unlessGone(() => [fileId(join(folder, name))]) ?? []
  })
}

/** A command line can be read by everybody. */
function mayBeKalends(pid) {
  return /main\.js|kalends\.mjs/.test(unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '')
}

/** Undefined if the process has ended, or closed the file, in the meantime. */
function unlessGone(read) {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(error.code)) return undefined
    throw error
  }
}

function fileId(file) {
  const { dev, ino } = statSync(file)
  return `${dev}:${ino}`
}
