// Packages: pinned versions, as in the lock file, without known vulnerabilities.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/project-root.ts'
import { type Finding, toFinding, toSkippedFinding } from '../support/security/checks.ts'

export async function checkPackages(): Promise<Finding[]> {
  return [checkPinnedVersions(), checkAudit()]
}

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

/** Every package has one exact version and a digest, and none has an install script. */
export function checkPinnedVersions(): Finding {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const direct = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies })
  const locked = Object.entries<Locked>(lock.packages).filter(([path]) => path !== '')
  const allowed: Record<string, boolean> = manifest.allowScripts
  const faults = [
    ...direct
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name]) => `${name} is not pinned`),
    ...locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => `${path} has no digest`),
    ...locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => `${path} has a registry URL`),
    ...locked
      .filter(([path, { hasInstallScript }]) => hasInstallScript === true && allowed[getName(path)] !== false)
      .map(([path]) => `${path} has an install script`)
  ]
  const measured = `${direct.length} direct packages, ${locked.length} in the lock`
  return toFinding('packages, pinned', measured, 'each with an exact version and a digest, no scripts', faults)
}

const getName = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Requests the advisories of these versions from the registry. */
function checkAudit(): Finding {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--audit=true'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000
  })
  const counts = parseCounts(stdout)
  if (counts === undefined) return toSkippedFinding('packages, audited', 'the registry does not support audits')
  const faults = ['high', 'critical']
    .filter(level => (counts[level] ?? 0) > 0)
    .map(level => `${counts[level]} ${level}`)
  return toFinding('packages, audited', JSON.stringify(counts), 'none high or critical', faults)
}

function parseCounts(answer: string): Record<string, number> | undefined {
  try {
    return JSON.parse(answer).metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
