import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'

export const isRoot = userInfo().uid === 0

/** Installs packages of Debian if possible: as root, on Debian. Returns whether it did. */
export function installFromDebian(name: string, ...packages: string[]): boolean {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${name} from Debian for the tests …`)
  mustRun(['apt-get', 'update', '-q'])
  mustRun(['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages])
  return true
}

export function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg', ['-s', name], { encoding: 'utf8' })
  return /^Status: install ok installed$/m.test(stdout ?? '')
}

export function mustRun([program = '', ...words]: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr } = spawnSync(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed:\n${stderr}`)
}
