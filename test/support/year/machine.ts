// The machine of an administrator: a folder in which the commands of the documents run, and its differences from a real machine.
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isRoot } from '../debian.ts'
import { waitUntil } from '../kalends-process.ts'
import { findFreePort } from '../postgres-server.ts'
import { buildPrograms } from './programs.ts'

const execute = promisify(execFile)
export const hostName = 'give.example.org'
/** The user of the service: an ordinary one that every system has. Without root everything belongs to the user of the test. */
export const serviceUser = isRoot ? { uid: 65534, gid: 65534 } : userInfo()

export interface Machine {
  folder: string
  ports: Ports
  publicUrl: string
  /** The environment variables of its programs. */
  environment: Record<string, string>
  /** The real path of a path in the documents. */
  locate(path: string): string
  /** Runs lines of a document in a shell, and returns their output. Throws if one of them fails. */
  run(lines: string, env?: Record<string, string>): Promise<string>
  /** Runs lines that have to fail, and returns their output. */
  runRefused(lines: string): Promise<string>
  /** The output of the service since its last start. */
  readLog(): Promise<string>
  waitUntilReady(): Promise<void>
  /** Stops everything, and removes the folder. */
  remove(): Promise<void>
}

interface Ports {
  kalends: number
  http: number
  https: number
  postgres: number
}

const paths = [
  '/var/lib/kalends',
  '/backups',
  '/root',
  ...['systemd', 'nginx', 'caddy', 'kalends'].map(name => `/etc/${name}`)
]

/** The replacements in lines of the documents before they are run. */
function listSubstitutions(folder: string, ports: Ports): [from: RegExp, to: string][] {
  return [
    // System folders are inside the folder of the machine.
    [new RegExp(`(?<![\\w.])(${paths.join('|')})\\b`, 'g'), `${folder}$1`],
    // Other programs may use the usual ports.
    [
      new RegExp(`^PUBLIC_URL=https://${hostName}$`, 'gm'),
      `PUBLIC_URL=https://${hostName}:${ports.https}\nPORT=${ports.kalends}`
    ],
    [/127\.0\.0\.1:5432\b/g, `127.0.0.1:${ports.postgres}`],
    // The user kalends exists only on a real machine.
    [/ -o kalends -g kalends/g, isRoot ? ` -o ${serviceUser.uid} -g ${serviceUser.gid}` : '']
  ]
}

/** The changes that the administrator makes in an editor, as a sed script: other ports and certificates, with the same host name. */
function buildEdits(folder: string, ports: Ports): string {
  const certificate = `${folder}/etc/letsencrypt/live/${hostName}`
  return `
    s|127\\.0\\.0\\.1:8080|127.0.0.1:${ports.kalends}|
    s|/etc/letsencrypt|${folder}/etc/letsencrypt|
    s|listen 80;|listen 127.0.0.1:${ports.http};|
    s|listen 443 ssl|listen 127.0.0.1:${ports.https} ssl|
    /listen \\[::\\]/d
    s|^${hostName} \\{$|{\\n\\tadmin off\\n\\thttp_port ${ports.http}\\n}\\n${hostName}:${ports.https} {\\n\\ttls ${certificate}/fullchain.pem ${certificate}/privkey.pem|
  `
}

export async function createMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-year-'))
  await chmod(folder, 0o755)
  const [kalends, http, https, postgres] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort()
  ]
  const ports = { kalends, http, https, postgres }
  for (const path of ['bin', 'run/nginx', 'root', 'usr/local', 'etc/systemd/system', 'etc/caddy', 'etc/nginx']) {
    await mkdir(join(folder, path), { recursive: true })
  }
  await writePrograms(folder)
  await writeFile(join(folder, 'run/edits.sed'), buildEdits(folder, ports))
  await prepareNginx(folder)
  const environment = await buildEnvironment(folder)

  const run = async (lines: string, more: Record<string, string> = {}) => {
    const text = listSubstitutions(folder, ports).reduce((changed, [from, to]) => changed.replace(from, to), lines)
    const script = `set -euo pipefail\n{ ${text}\n} 2>&1`
    try {
      const options = { cwd: join(folder, 'root'), env: { ...environment, ...more }, maxBuffer: 100_000_000 }
      return (await execute('bash', ['-c', script], options)).stdout
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`These lines failed:\n${text}\n${stdout}${stderr}`, { cause: error })
    }
  }
  const machine: Machine = {
    folder,
    ports,
    publicUrl: `https://${hostName}:${https}`,
    environment,
    locate: path => join(folder, path),
    run,
    runRefused: async lines => {
      const printed = await run(lines).catch((error: Error) => error)
      if (!(printed instanceof Error)) throw new Error(`These lines should have failed:\n${lines}\n${printed}`)
      return printed.message
    },
    readLog: async () => await readFile(join(folder, 'run/kalends.log'), 'utf8').catch(() => ''),
    waitUntilReady: async () => {
      const isReady = async () =>
        await fetch(`http://127.0.0.1:${kalends}/readyz`).then(
          ({ ok }) => ok,
          () => false
        )
      await waitUntil(isReady, 60_000).catch(async error => {
        throw new Error(`The service is not ready:\n${await machine.readLog()}`, { cause: error })
      })
    },
    remove: async () => {
      for (const service of ['kalends', 'nginx', 'caddy']) await run(`systemctl stop ${service}`)
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    }
  }
  return machine
}

async function writePrograms(folder: string): Promise<void> {
  const asUser = (uid: number | string, gid: number | string) =>
    isRoot ? `setpriv --reuid ${uid} --regid ${gid} --clear-groups` : 'env'
  const asService = asUser(serviceUser.uid, serviceUser.gid)
  const programs = buildPrograms({ folder, asService, asPostgres: asUser('postgres', 'postgres') })
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/bash\nset -euo pipefail\n${script}\n`, { mode: 0o755 })
  }
}

/** Configures nginx as Debian does, but with files in the folder of the machine. */
async function prepareNginx(folder: string): Promise<void> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(folder, 'etc/nginx/nginx.conf'),
    `${isRoot ? 'user nobody nogroup;' : ''}
    pid ${folder}/run/nginx/nginx.pid;
    error_log stderr;
    events {}
    http {
      access_log off;
      include /etc/nginx/mime.types;
      ${temporary.map(name => `${name}_temp_path ${folder}/run/nginx/${name};`).join('\n')}
      include ${folder}/etc/nginx/sites-enabled/*;
    }`
  )
  for (const name of ['sites-available', 'sites-enabled']) await mkdir(join(folder, 'etc/nginx', name))
}

async function buildEnvironment(folder: string): Promise<Record<string, string>> {
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env
  // npm looks for its global settings in the prefix, which is changed here: the original file is named.
  const { stdout: globalConfig } = await execute('npm', ['config', 'get', 'globalconfig'])
  return {
    PATH: `${folder}/bin:${folder}/usr/local/bin:${PATH}`,
    HOME,
    ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
    npm_config_prefix: `${folder}/usr/local`,
    npm_config_globalconfig: globalConfig.trim(),
    npm_config_update_notifier: 'false'
  }
}
