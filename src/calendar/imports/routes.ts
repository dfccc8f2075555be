import { ifMatch, refuseStale } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import { isFilePart } from '#platform/form.ts'
import type { Scope } from '#platform/service.ts'
import { envelope, imported, importRows } from '../answers.ts'
import { listAnswer, pageIn, totalIfShort } from '../paging.ts'
import { invalidParameter, pageNotFound } from '../problems.ts'
import { type Answer, addRoute, created, type RouteTable, type Visit } from '../tec.ts'
import { csvTemplate } from './csv/template.ts'
import { cancelImport, importNotFound, runAgain, type SentFile, startImport, undoImport } from './import.ts'
import * as imports from './queries.ts'
import { fileBytesMax, importFilters, newImport, rowFilters, runParameters } from './schema.ts'
import { importToWire, rowToWire } from './wire.ts'

const templateNames = { en: 'events', de: 'veranstaltungen' }

/** Nobody edits an import: what it says changes by itself. */
const onlyVersion = 1

const editors = ['editor'] as const

/** What comes around the file in a form. */
const formBytesMax = 65_536

export function importRoutes(scope: Scope, table: RouteTable): void {
  addRoute(scope, table, {
    methods: ['GET'],
    path: '/imports',
    needs: editors,
    summary: 'List imports, newest first',
    takes: importFilters,
    answers: envelope('imports', imported),
    handler: async (visit, values) => {
      const page = pageIn(values)
      const found = await imports.listPage(visit.db, page)
      const total = totalIfShort(page, found.length) ?? (await imports.count(visit.db))
      const items = found.map(one => importToWire(one, visit.language))
      return listAnswer(visit, 'imports', items, { page, total, query: {}, beyond: () => pageNotFound('import') })
    }
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: '/imports',
    needs: editors,
    summary:
      'Import from another site, a calendar or a table; without `dry_run=false` it only reports what it would do',
    takes: newImport,
    answers: imported,
    creates: true,
    bodyBytesMax: fileBytesMax + formBytesMax,
    handler: async (visit, values) => {
      const { caller, now, site } = visit
      const language = visit.chosenLanguage ?? site.settings.defaultLanguage
      const asking = { caller, now, settings: site.settings, language }
      const file = sentIn(values.file)
      return await made(visit, async db => await startImport(db, asking, values, { file }))
    }
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/template.csv',
    needs: editors,
    summary: 'A table to fill in and import',
    takes: {},
    answers: { type: 'string' },
    produces: 'text/csv',
    handler: async ({ language }) => ({
      body: {},
      text: {
        content: csvTemplate(language),
        type: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="${templateNames[language]}.csv"` }
      }
    })
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/{id}',
    needs: editors,
    summary: 'Read an import: how far it is, and what has come of it',
    takes: {},
    answers: imported,
    handler: async (visit, _values, { id }) => await answerOf(visit, visit.db, id)
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/{id}/rows',
    needs: editors,
    summary: 'The report of an import: a row for each thing that came',
    takes: rowFilters,
    answers: importRows,
    handler: async ({ db, language, reply }, { outcome, ...values }, { id }) => {
      const page = pageIn(values)
      if ((await imports.find(db, id)) === undefined) throw importNotFound(id)
      const rows = await imports.listRows(db, id, outcome, page)
      const total = totalIfShort(page, rows.length) ?? (await imports.countRows(db, id, outcome))
      const pages = Math.ceil(total / page.size)
      if (page.number > 1 && page.number > pages) throw pageNotFound('row')
      reply.headers({ 'x-wp-total': total, 'x-wp-totalpages': pages })
      return { body: { rows: rows.map(row => rowToWire(row, language)), total, total_pages: pages } }
    }
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/run',
    needs: editors,
    summary: 'Make a try run real: the same source once more, and this time everything is written',
    takes: runParameters,
    answers: imported,
    creates: true,
    handler: async (visit, values, { id }) => await made(visit, async db => await runAgain(db, visit, id, values))
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/cancel',
    needs: editors,
    summary: 'Stop an import; what it has written stays, and can be undone',
    takes: {},
    answers: imported,
    handler: async (visit, _values, { id }) => {
      refuseStale(ifMatch(visit.request), onlyVersion)
      await cancelImport(visit.db, visit, id)
      return await answerOf(visit, visit.db, id)
    }
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/undo',
    needs: editors,
    summary: 'Take back what an import wrote, but for what was edited here since',
    takes: {},
    answers: imported,
    isLater: true,
    handler: async (visit, _values, { id }) => {
      refuseStale(ifMatch(visit.request), onlyVersion)
      await undoImport(visit.db, visit, id)
      return await answerOf(visit, visit.db, id)
    }
  })
}

/** A field that is left empty in a form is no file. */
function sentIn(given: unknown): SentFile | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (isFilePart(given)) return { name: given.filename, bytes: given.bytes }
  throw invalidParameter('file', 'file', {
    en: 'must be a file, sent as a part of a form',
    de: 'muss eine Datei sein, gesendet als Teil eines Formulars'
  })
}

async function made(visit: Visit, make: (db: Database) => Promise<number>): Promise<Answer> {
  return await created(visit, async db => {
    const id = await make(db)
    return { ...(await answerOf(visit, db, id)), path: `/imports/${id}` }
  })
}

async function answerOf({ language }: Visit, db: Database, id: number): Promise<Answer> {
  const found = await imports.find(db, id)
  if (found === undefined) throw importNotFound(id)
  return { body: importToWire(found, language), version: onlyVersion }
}
