import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../project-root.ts'

const run = promisify(execFile)

/** The schema change of each later release. */
const changes = [
  { folder: 'platform/database', statement: "alter table platform.users add column pronouns text not null default ''" },
  {
    folder: 'fundraising',
    statement: 'create table fundraising.thank_you_cards (campaign_id integer primary key, words text not null)'
  },
  { folder: 'calendar', statement: 'alter table calendar.events add column dress_code text' }
]

/**
 * Packs this release, and one later release for each schema change, which includes the earlier changes and is otherwise equal. Returns
 * the versions in order; the files are `kalends-VERSION.tgz`.
 */
export async function packReleases(folder: string): Promise<string[]> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const versions: string[] = [version]
  const tree = join(folder, 'unpacked')
  await mkdir(tree)
  await run('tar', ['-xzf', join(folder, `kalends-${version}.tgz`), '-C', tree])
  for (const change of changes) {
    const next = versions.at(-1)?.replace(/^(\d+)\.(\d+)\.\d+/, (_, major, minor) => `${major}.${Number(minor) + 1}.0`)
    if (next === undefined) throw new Error('There is no version.')
    await changeRelease(join(tree, 'package'), next, change)
    await run('tar', ['-czf', join(folder, `kalends-${next}.tgz`), '-C', tree, 'package'])
    versions.push(next)
  }
  await rm(tree, { recursive: true })
  return versions
}

/** The version in the build, from src/platform/version.ts. */
const versionForm = /^(var version = ")[^"]+/m

async function changeRelease(tree: string, version: string, change: (typeof changes)[number]): Promise<void> {
  const build = join(tree, 'dist', await readFile(join(tree, 'dist/current'), 'utf8'))
  await replaceVersion(join(tree, 'package.json'), /("version": ")[^"]+/, version)
  const chunks = (await readdir(join(build, 'program'))).filter(name => name.endsWith('.js'))
  const texts = await Promise.all(chunks.map(async name => await readFile(join(build, 'program', name), 'utf8')))
  const chunk = chunks[texts.findIndex(text => versionForm.test(text))]
  if (chunk === undefined) throw new Error('No file of the build has the version.')
  await replaceVersion(join(build, 'program', chunk), versionForm, version)
  const migrations = join(build, change.folder, 'migrations')
  const number = String((await readdir(migrations)).length + 1).padStart(3, '0')
  await writeFile(join(migrations, `${number}_of_a_later_release.sql`), `${change.statement};\n`)
}

async function replaceVersion(file: string, form: RegExp, version: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!form.test(text)) throw new Error(`${file} has no version.`)
  await writeFile(file, text.replace(form, `$1${version}`))
}
