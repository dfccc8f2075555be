import { execFile, spawnSync } from 'node:child_process'
import { appendFile, chmod, cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installFromDebian, isInstalled, isRoot } from '../debian.ts'
import { installNode } from './node-versions.ts'

const run = promisify(execFile)
const packages = ['podman', 'runc', 'catatonit', 'debootstrap']

/** Podman with a storage of its own; `remove` deletes it with all containers and images. */
export interface Podman {
  /** The program and its options, for a shell. */
  words: string[]
  run(...words: string[]): Promise<{ stdout: string; stderr: string }>
  remove(): Promise<void>
}

/** Why images cannot be built here, or false. */
export function getPodmanSkip(): string | false {
  if (!isRoot) return 'Building an image needs root here.'
  const missing = packages.filter(name => !isInstalled(name))
  if (missing.length === 0 || installFromDebian('Podman', ...missing)) return false
  return `${missing.join(', ')} are not installed.`
}

export async function startPodman(): Promise<Podman> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-podman-'))
  const words = ['podman', '--runtime', 'runc', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const podman = async (...more: string[]) =>
    await run(words[0] ?? '', [...words.slice(1), ...more], { maxBuffer: 100_000_000 })
  return {
    words,
    run: podman,
    remove: async () => {
      await podman('rm', '--all', '--force')
      await podman('rmi', '--all', '--force')
      await podman('volume', 'rm', '--all', '--force')
      spawnSync('umount', [join(folder, 'storage', 'overlay')])
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

/**
 * Provides the base image of the Dockerfile. If its registry is not reachable, builds a replacement with the same parts: Debian trixie by
 * debootstrap, Node from npm, npm of this machine, and the user `node`. Returns which of them it is.
 */
export async function provideBaseImage({ run: podman }: Podman, image: string): Promise<'the real one' | 'a stand-in'> {
  try {
    await podman('pull', '--quiet', `docker.io/library/${image}`)
    return 'the real one'
  } catch {
    // The registry is not reachable: the replacement is built.
  }
  const folder = await mkdtemp(join(tmpdir(), 'kalends-base-image-'))
  try {
    const tree = join(folder, 'tree')
    await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'trixie', tree], {
      maxBuffer: 100_000_000
    })
    await cp(await installNode(24, join(folder, 'node')), join(tree, 'usr/local/bin/node'))
    await chmod(join(tree, 'usr/local/bin/node'), 0o755)
    const { stdout } = await run('npm', ['root', '--global'])
    await mkdir(join(tree, 'usr/local/lib/node_modules'), { recursive: true })
    await cp(await realpath(join(stdout.trim(), 'npm')), join(tree, 'usr/local/lib/node_modules/npm'), {
      recursive: true
    })
    // For machines behind a proxy that has its own certificate.
    const certificates = process.env.NODE_EXTRA_CA_CERTS
    if (certificates !== undefined) {
      await cp(certificates, join(tree, 'etc/ssl/certs/of-this-machine.pem'), { dereference: true })
      const settings = join(tree, 'usr/local/lib/node_modules/npm/npmrc')
      await appendFile(settings, '\ncafile=/etc/ssl/certs/of-this-machine.pem\n')
    }
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(tree, 'usr/local/bin/npm'))
    await run('chroot', [tree, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node'])
    const archive = join(folder, 'tree.tar')
    await run('tar', ['-C', tree, '-cf', archive, '.'])
    const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    await podman('import', '--quiet', '--change', path, archive, `docker.io/library/${image}`)
    return 'a stand-in'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
