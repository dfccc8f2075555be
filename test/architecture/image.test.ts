// test: own process, long, full
// Builds the image of the Dockerfile with Podman, from the files that .dockerignore allows, and runs the commands of docs/containers.md
// with the restrictions of compose.yaml. Docker, compose and images for other processors are not run here.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sendRequest } from '../support/kalends-process.ts'
import { root } from '../support/project-root.ts'
import { getPodmanSkip, provideBaseImage, startPodman } from '../support/release/podman.ts'

const run = promisify(execFile)

test('the image builds, and start, health check, backup, restore and stop work with the commands of docs/containers.md', {
  skip: getPodmanSkip()
}, async t => {
  const podman = await startPodman()
  after(podman.remove)
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
  const base = /^FROM (?:--platform=\S+ )?(\S+)/m.exec(dockerfile)?.[1] ?? ''
  t.diagnostic(`base image ${base}: ${await provideBaseImage(podman, base)}`)
  const isolation = ['--isolation', 'chroot', '--network', 'host', '--layers=false', '--format', 'docker']
  await podman.run('build', '--pull=never', ...isolation, '--tag', 'kalends', root)

  const folder = await mkdtemp(join(tmpdir(), 'kalends-image-'))
  after(async () => await rm(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const runBlock = newCompose(podman.words, port, folder)
  const manual = await readFile(join(root, 'docs/containers.md'), 'utf8')
  const readBlocks = (title: string) => {
    const section = new RegExp(`^## ${title}\n([\\s\\S]*?)(?=^## )`, 'm').exec(manual)?.[1] ?? ''
    return [...section.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  }

  // The first start.
  const [start = ''] = readBlocks('Start')
  const started = await runBlock(start, 'first')
  assert.match(started, /^[A-Za-z0-9]{20}$/m, 'the password of the new account')
  assert.match(started, /^ok {4}database: /m)
  const url = `http://127.0.0.1:${port}`
  assert.equal((await sendRequest(`${url}/readyz`)).status, 200)
  const name = 'From the backup'
  const account = { iban: 'DE02120300000000202051', nameOfBank: 'Bank', name: 'Verein' }
  const key = (
    await podman.run('exec', 'kalends', 'node', 'dist/main.js', 'key', 'create', '--name', 'test', '--role', 'admin')
  ).stdout
  const created = await sendRequest(`${url}/campaigns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.trim()}` },
    body: { name, donationMinimum: 1, targetAmount: 100, account }
  })
  assert.equal(created.status, 201, created.text)
  await assert.rejects(podman.run('exec', 'kalends', 'touch', '/app/new'), /Read-only file system/)

  // A backup, and the stop.
  const [backup = ''] = readBlocks('Backup')
  assert.match(await runBlock(backup, 'first'), /^Standard input: archive OK/m)
  for (const file of ['kalends.backup', 'encryption.key']) {
    assert.equal((await stat(join(folder, file))).mode & 0o077, 0, file)
  }
  await podman.run('stop', '--time', '20', 'kalends')
  const state = await podman.run('inspect', '--format', '{{.State.ExitCode}}', 'kalends')
  assert.equal(state.stdout.trim(), '0')
  await assert.rejects(sendRequest(`${url}/livez`))
  await podman.run('rm', 'kalends')

  // Another machine: an empty volume.
  const [restore = '', replace = ''] = readBlocks('Restore')
  assert.match(await runBlock(restore, 'second'), /^Restored \d+ rows/m)
  const readNames = async () => (await sendRequest(`${url}/campaigns`)).body.map((one: { name: string }) => one.name)
  assert.deepEqual(await readNames(), [name])
  assert.match(await runBlock(replace, 'second'), /^Restored \d+ rows/m)
  assert.deepEqual(await readNames(), [name])
  await podman.run('stop', '--time', '20', 'kalends')
})

/** Runs commands of `docker compose` with Podman and the settings of compose.yaml, on a volume of the given name. */
function newCompose(podman: string[], port: number, folder: string) {
  const options = [
    ...['--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--init', '--shm-size', '256m'],
    ...['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    ...['--env', `PORT=${port}`, '--env', `PUBLIC_URL=http://127.0.0.1:${port}`]
  ]
  return async (block: string, volume: string): Promise<string> => {
    const script = `
      set -euo pipefail
      podman() { command ${podman.map(quote).join(' ')} "$@"; }
      options=(${options.map(quote).join(' ')} --volume ${quote(`${volume}:/data`)})
      docker() {
        [ "$1" = compose ] || return 64
        local command=$2 entrypoint=()
        shift 2
        while [[ "\${1:-}" == -* ]]; do
          case "$1" in
            --rm | -T | -d) ;;
            --entrypoint) entrypoint=(--entrypoint "$2"); shift ;;
            *) return 64 ;;
          esac
          shift
        done
        [ $# = 0 ] || { [ "$1" = kalends ] && shift; } || return 64
        case "$command" in
          run) podman run --rm --interactive "\${options[@]}" "\${entrypoint[@]}" kalends "$@" ;;
          exec) podman exec --interactive kalends "$@" ;;
          up) podman run --detach --name kalends "\${options[@]}" kalends; untilHealthy ;;
          stop) podman stop --time 20 kalends; podman rm kalends ;;
          *) return 64 ;;
        esac
      }
      untilHealthy() {
        for _ in $(seq 60); do if podman healthcheck run kalends > /dev/null; then return; fi; sleep 1; done
        podman logs kalends
        return 1
      }
      ${block}`
    try {
      const { stdout } = await run('bash', ['-c', script], { cwd: folder, maxBuffer: 100_000_000 })
      return stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${block}\n${stdout}\n${stderr}`)
    }
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  while (!server.listening) await sleep(10)
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
