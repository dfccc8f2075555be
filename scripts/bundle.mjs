// Joins the compiled program to a few files: hundreds of them take a quarter of a second longer to start. The parts stay beside for those who
// use them alone. Argument: the folder with what was compiled.
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const folder = resolve(process.argv[2])
/** They find what lies beside them by their own address. */
const staysApart =
  /^(?:(?:platform|fundraising|calendar)\/migrations|web\/assets|fundraising\/receipts\/pdf\/fonts)\.js$/

await build({
  entryPoints: [join(folder, 'main.js')],
  outdir: folder,
  allowOverwrite: true,
  chunkNames: 'program/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  plugins: [
    {
      name: 'parts of the program',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^#|^\.\.?\// }, ({ path, resolveDir }) => {
          const file = path.startsWith('#')
            ? join(folder, path.slice(1).replace(/\.ts$/, '.js'))
            : join(resolveDir, path)
          const name = file.slice(folder.length + 1).replaceAll('\\', '/')
          return staysApart.test(name) ? { path: `#${name.replace(/\.js$/, '.ts')}`, external: true } : { path: file }
        })
    }
  ]
})
