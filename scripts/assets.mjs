// Bundles what browsers load: scripts (islands, widgets) and styles, each under a name that changes with its content.
//   node scripts/assets.mjs FOLDER
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const web = join(root, 'src', 'web')

/** Under the SIL Open Font License. Letters that only some names have are loaded where such a name stands. */
const fonts = {
  'fraunces.woff2': 'fraunces/files/fraunces-latin-wght-normal.woff2',
  'fraunces-ext.woff2': 'fraunces/files/fraunces-latin-ext-wght-normal.woff2',
  'source-sans.woff2': 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
  'source-sans-ext.woff2': 'source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2',
  'source-sans-vietnamese.woff2': 'source-sans-3/files/source-sans-3-vietnamese-wght-normal.woff2'
}

await buildAssets(process.argv[2])

async function buildAssets(target) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const manifest = {}
  for (const [name, file] of Object.entries(fonts)) {
    const from = join(root, 'node_modules', '@fontsource-variable', file)
    const hash = createHash('sha256').update(readFileSync(from)).digest('hex').slice(0, 8).toUpperCase()
    manifest[name] = name.replace('.', `-${hash}.`)
    copyFileSync(from, join(target, manifest[name]))
  }
  const entries = [
    ...sources('client/islands', /^[a-z-]+\.ts$/),
    ...sources('styles', /^(site|calendar|donate|developers|admin|embed|dark)\.css$/)
  ]
  await bundle(entries, target, manifest)
  // Pages of others load these: each is one file.
  for (const widget of sources('client/widgets', /^v\d+\.ts$/)) await bundle([widget], target, manifest)
  for (const name of Object.values(manifest).filter(name => !name.endsWith('.woff2'))) compressFile(join(target, name))
  writeFileSync(join(target, 'manifest.json'), JSON.stringify(manifest, undefined, 2))
}

/** With the highest levels, which take too long for anything that is not compressed in advance. */
function compressFile(file) {
  const bytes = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(bytes))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

async function bundle(entryPoints, target, manifest) {
  const { metafile } = await build({
    entryPoints,
    outdir: target,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    tsconfig: join(web, 'client', 'tsconfig.json'),
    plugins: [fontAddresses(manifest)],
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root
  })
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
    const built = file.split('/').pop()
    manifest[entryPoint === undefined ? built : entryPoint.split('/').pop().replace(/\.ts$/, '.js')] = built
  }
}

function sources(folder, form) {
  return readdirSync(join(web, folder))
    .filter(name => form.test(name))
    .map(name => join(web, folder, name))
}

/** Styles name a font by its plain name. */
function fontAddresses(manifest) {
  return {
    name: 'fonts',
    setup(builder) {
      builder.onResolve({ filter: /^font:/ }, ({ path }) => ({
        path: `/assets/${manifest[path.slice('font:'.length)]}`,
        external: true
      }))
    }
  }
}
