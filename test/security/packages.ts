// What comes from others: pinned, as the lock says, and without known holes.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/project-root.ts'
import { type Finding, toFinding, toSkippedFinding } from '../support/security/checks.ts'

export async function checkPackages(): Promise<Finding[]> {
  return [checkPinnedVersions(), audited()]
}

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

/** Every package by one exact version and the digest of its content, and none that runs something when it is installed. */
export function checkPinnedVersions(): Finding {
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wished = Object.entries<string>({ ...about.dependencies, ...about.devDependencies })
  const locked = Object.entries<Locked>(lock.packages).filter(([path]) => path !== '')
  const allowed: Record<string, boolean> = about.allowScripts
  const faults = [
    ...wished
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name]) => `${name} is not pinned`),
    ...locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => `${path} has no digest`),
    ...locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => `${path} names where it comes from`),
    ...locked
      .filter(([path, { hasInstallScript }]) => hasInstallScript === true && allowed[nameOf(path)] !== false)
      .map(([path]) => `${path} runs a script when it is installed`)
  ]
  const measured = `${wished.length} packages of ours, ${locked.length} in the lock`
  return toFinding('packages, pinned', measured, 'each with an exact version and a digest, no scripts', faults)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Asks the registry for advisories of these versions. */
function audited(): Finding {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--audit=true'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000
  })
  const counts = countsIn(stdout)
  if (counts === undefined) return toSkippedFinding('packages, audited', 'the registry does not answer audits here')
  const faults = ['high', 'critical']
    .filter(level => (counts[level] ?? 0) > 0)
    .map(level => `${counts[level]} ${level}`)
  return toFinding('packages, audited', JSON.stringify(counts), 'none high or critical', faults)
}

function countsIn(answer: string): Record<string, number> | undefined {
  try {
    return JSON.parse(answer).metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
