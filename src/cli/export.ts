import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadOrCreateKey } from '#fundraising/encryption/key.ts'
import { writeArchive } from '#platform/backup/archive.ts'
import { writeToFileOrStdout } from '#platform/backup/output-file.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { languages } from '#platform/language.ts'
import { newLog } from '#platform/log.ts'
import { createServer } from '#platform/server.ts'
import { encryptionKeyHint, formatSummary } from './backup.ts'
import { findServices } from './server/services.ts'
import { migrations } from './support/migrations.ts'
import { withStore } from './support/store.ts'
import { getOwn, UsageError } from './support/usage.ts'

export async function run([what = '', ...rest]: string[]): Promise<void> {
  if (what === 'instance') return await exportInstance(rest)
  const files = getOwn(filesByFormat, what)
  if (files === undefined) throw new UsageError('export takes csv, jsonl, ics or instance.')
  const { values } = parseArgs({ args: rest, options: { out: { type: 'string' } } })
  await withStore(async (store, settings) => {
    await loadOrCreateKey(store, settings)
    await exportFiles(store, settings, files, values.out ?? '.')
  })
}

/** Deterministic: the same instance always gives the same file. */
async function exportInstance([path, ...rest]: string[]): Promise<void> {
  if (path === undefined || rest.length > 0)
    throw new UsageError('export instance takes one file, or - for standard output.')
  await withStore(async store => {
    const taken = await writeToFileOrStdout(
      path,
      async to => await writeArchive(store.connection, migrations, to, 'instance')
    )
    console.error(`${path === '-' ? 'Instance' : path}: ${formatSummary(taken)}.`)
    console.error(encryptionKeyHint)
  })
}

interface ExportedFile {
  name: string
  path: string
}

const calendar = '/calendar/events/v1'
const collections = ['events', 'venues', 'organizers', 'categories', 'tags']

/** Translated content is exported to one file per language. */
const listInEachLanguage = (collection: string, form: string, query = '') =>
  languages.map(language => ({
    name: `${collection}.${language}.${form}`,
    path: `${calendar}/${collection}.${form}?language=${language}${query}`
  }))
const listTables = (form: string): ExportedFile[] => [
  ...collections.flatMap(collection => listInEachLanguage(collection, form)),
  { name: `campaigns.${form}`, path: `/campaigns.${form}` },
  { name: `donations.${form}`, path: `/donations.${form}` }
]
const filesByFormat: Record<string, ExportedFile[]> = {
  csv: listTables('csv'),
  jsonl: listTables('jsonl'),
  ics: listInEachLanguage('events', 'ics', '&all=true')
}

/** Calls the services as an admin without listening on a port: each file is the response of its URL. */
async function exportFiles(store: Store, settings: Settings, files: ExportedFile[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const key = randomBytes(32).toString('hex')
  const own: Settings = { ...settings, adminKey: key }
  const services = findServices(['campaigns', 'calendar']).map(part => part(own))
  const server = await createServer(services, { store, settings: own, log: newLog('error') })
  try {
    for (const { name, path } of files) {
      const answer = await server.app.inject({
        url: path,
        headers: { authorization: `Bearer ${key}`, host: `${settings.host}:${settings.port}` },
        payloadAsStream: true
      })
      if (answer.statusCode !== 200) throw new Error(`${path} returned ${answer.statusCode}.`)
      await writeToFileOrStdout(join(folder, name), async to => {
        for await (const piece of answer.stream()) await to(piece)
      })
      console.log(join(folder, name))
    }
  } finally {
    await server.drain()
  }
}
