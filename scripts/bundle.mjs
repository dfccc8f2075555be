// Bundles the compiled program and most of its packages into a few files: a thousand of them take a third of a start, and an installation needs
// only the packages that are not bundled, the `dependencies` of package.json.
//   node scripts/bundle.mjs COMPILED TARGET
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const [compiled, target] = process.argv.slice(2).map(folder => resolve(folder))
/** Files that find others by their own path (SQL, fonts, styles, messages, a worker), so each keeps its place. */
const ownFiles = [
  'platform/database/platform-migrations.js',
  'fundraising/migrations.js',
  'calendar/migrations.js',
  'web/server/assets.js',
  'platform/rich-text/sanitize-in-worker.js',
  'platform/images/fonts.js',
  'platform/language.js'
]
/**
 * Packages that the program loads with the first request that needs them (`requireLazily`): a file each, so that they do not
 * delay the start.
 */
const lazyPackages = [
  ...[
    '@simplewebauthn/server',
    'altcha-lib',
    'altcha-lib/algorithms/pbkdf2',
    'bankdata-germany',
    'fontkit',
    'nodemailer'
  ],
  ...['openid-client', 'pdfkit', 'sanitize-html', 'saxes', 'uqr']
]
/** Entry points besides `main.js`: a worker, and what the build itself calls. */
const ownEntries = ['platform/rich-text/sanitize-worker.js', 'platform/database/embedded/bundled-binaries.js']

const options = {
  outdir: target,
  outbase: compiled,
  // Comments contain paths: with relative ones, the same source gives the same files wherever it is built.
  absWorkingDir: compiled,
  bundle: true,
  external: ['sharp', 'pg-native'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  // For packages that ask for parts of Node by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"
  }
}
const program = await build({
  ...options,
  entryPoints: [join(compiled, 'main.js')],
  chunkNames: 'program/[name]-[hash]',
  splitting: true,
  plugins: [resolveParts(ownFiles)]
})
const others = await build({
  ...options,
  entryPoints: [...ownFiles, ...ownEntries].map(name => join(compiled, name)),
  plugins: [resolveParts([])]
})
const packages = await build({
  ...options,
  entryPoints: lazyPackages.map(name => ({ in: createRequire(import.meta.url).resolve(name), out: name })),
  outdir: join(target, 'packages'),
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  banner: {}
})
const builds = [program, others, packages].map(({ metafile }) => metafile)
const inputs = builds.flatMap(metafile => Object.keys(metafile.inputs))
writeFileSync(join(target, 'program', 'LICENSES.txt'), collectLicences(inputs))
for (const output of builds.flatMap(metafile => Object.keys(metafile.outputs))) escapeCharacters(join(compiled, output))

/**
 * Node keeps the source of each module in memory, in twice the room if it has a character beyond Latin-1. esbuild escapes
 * those in texts; this does it in comments, regular expressions and templates.
 */
function escapeCharacters(file) {
  const source = readFileSync(file, 'utf8')
  const toEscape = character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const escaped = source.replaceAll(/[\u0100-\uffff]/g, toEscape)
  if (escaped !== source) writeFileSync(file, escaped)
}

/** Resolves imports of our own files. Those in `external` stay imports, by the name that `package.json` of the build resolves. */
function resolveParts(external) {
  return {
    name: 'parts of the program',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^#|^\.\.?\// }, ({ path, resolveDir }) => {
        if (resolveDir.includes('node_modules')) return undefined
        const file = path.startsWith('#')
          ? join(compiled, path.slice(1).replace(/\.ts$/, '.js'))
          : join(resolveDir, path)
        const name = file.slice(compiled.length + 1).replaceAll('\\', '/')
        return external.includes(name) ? { path: `#${name.replace(/\.js$/, '.ts')}`, external: true } : { path: file }
      })
  }
}

/** Licences of the bundled packages: most require that their notice is included. */
function collectLicences(files) {
  const homes = files.map(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  const texts = [...new Set(homes)].flatMap(home => {
    if (home === undefined) return []
    const folder = join(compiled, home)
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const notice = readdirSync(folder).find(file => /^licen[cs]e/i.test(file))
    return [
      `${name} ${version} (${license})\n\n${notice === undefined ? '' : readFileSync(join(folder, notice), 'utf8')}`
    ]
  })
  return texts.toSorted().join(`\n${'-'.repeat(72)}\n\n`)
}
