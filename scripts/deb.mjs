// Makes a Debian package of the program with everything it needs but Node: kalends_0.1.0_amd64.deb in the folder of the argument, or here.
// It has the service of deploy/kalends.service, a user `kalends` with its data in /var/lib/kalends, and the command `kalends`.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = resolve(process.argv[2] ?? '.')
const home = '/usr/lib/kalends'

/** The data stays when the package is removed, also with --purge: it is the organisation's. */
const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if ! getent passwd kalends > /dev/null; then
    adduser --quiet --system --group --home /var/lib/kalends --no-create-home --shell /usr/sbin/nologin kalends
  fi
  install -d -o kalends -g kalends -m 700 /var/lib/kalends
  if [ ! -e /var/lib/kalends/.env ]; then
    install -o kalends -g kalends -m 600 ${home}/.env.example /var/lib/kalends/.env
    echo 'Edit /var/lib/kalends/.env, then: systemctl enable --now kalends'
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart kalends
  fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now kalends; fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`
}

const work = mkdtempSync(join(tmpdir(), 'kalends-deb-'))
try {
  const stage = join(work, 'stage')
  chmodSync(work, 0o755)
  mkdirSync(stage)
  await installProgram(join(stage, home))
  addSystemFiles(stage)
  addControlFiles(stage)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = join(target, `kalends_${version}_${getArchitecture()}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', stage, file])
  console.log(file)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The npm package, with the packages that package-lock.json names. */
async function installProgram(folder) {
  run('npm', ['pack', '--silent', '--pack-destination', work], root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  run('tar', ['-xzf', join(work, `kalends-${version}.tgz`), '-C', work])
  mkdirSync(dirname(folder), { recursive: true })
  renameSync(join(work, 'package'), folder)
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  rmSync(join(folder, 'package-lock.json'))
  rmSync(join(folder, 'node_modules', '.package-lock.json'))
  // The user of the service cannot complete the programs of PostgreSQL.
  const build = readFileSync(join(folder, 'dist', 'current'), 'utf8')
  const file = join(folder, 'dist', build, 'platform', 'database', 'embedded', 'bundled-binaries.js')
  const { getNativeFolder, prepareBinaries } = await import(file)
  await prepareBinaries(getNativeFolder())
  chmodSync(join(folder, 'dist', 'main.js'), 0o755)
}

function addSystemFiles(stage) {
  const unit = readFileSync(join(root, 'deploy', 'kalends.service'), 'utf8').replaceAll('/opt/kalends', home)
  writeStaged(stage, '/usr/lib/systemd/system/kalends.service', unit)
  writeStaged(stage, '/usr/share/doc/kalends/copyright', readFileSync(join(root, 'LICENSE')))
  mkdirSync(join(stage, 'usr', 'bin'), { recursive: true })
  symlinkSync('../lib/kalends/dist/main.js', join(stage, 'usr', 'bin', 'kalends'))
}

function addControlFiles(stage) {
  const { version, description, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [least] = /\d+\.\d+/.exec(engines.node)
  const control = `Package: kalends
Version: ${version}
Architecture: ${getArchitecture()}
Maintainer: The authors of Kalends <kalends@localhost>
Depends: nodejs (>= ${least}), libc6, adduser
Section: web
Priority: optional
Description: donation campaigns and an events calendar
 ${description}
`
  writeStaged(stage, '/DEBIAN/control', control)
  for (const [name, text] of Object.entries(scripts)) {
    writeStaged(stage, `/DEBIAN/${name}`, text)
    chmodSync(join(stage, 'DEBIAN', name), 0o755)
  }
}

function writeStaged(stage, path, content) {
  mkdirSync(dirname(join(stage, path)), { recursive: true })
  writeFileSync(join(stage, path), content)
}

function getArchitecture() {
  return execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()
}

function run(program, words, cwd) {
  execFileSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
