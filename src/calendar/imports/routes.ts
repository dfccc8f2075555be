import { newCsvWriter } from '#platform/csv/csv.ts'
import type { Database } from '#platform/database/database.ts'
import { prefetchFirst, streamLines } from '#platform/database/streaming.ts'
import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { buildText, getMessages } from '#platform/messages/messages.ts'
import { importRowsSchema, importSchema } from '../contract/import-shapes.ts'
import { newInvalidParamProblem, newPageNotFoundProblem } from '../contract/problems.ts'
import { buildListResult, inferTotal, parsePage } from '../contract/routing/paging.ts'
import {
  createOnce,
  defineRoute,
  type RequestContext,
  type RouteResult,
  type RouteTable
} from '../contract/routing/route.ts'
import { buildListSchema } from '../contract/shapes.ts'
import {
  cancelImport,
  compareImport,
  newImportNotFoundProblem,
  runAgain,
  type SentFile,
  startImport,
  undoImport
} from './import.ts'
import * as imports from './queries.ts'
import * as report from './row-queries.ts'
import { compareParams, fileBytesMax, importFilters, importParams, rowFilters, runParams } from './schema.ts'
import { buildCsvTemplate } from './sources/csv/template.ts'
import { getReportHead, toImportJson, toImportRowJson, toReportLines } from './wire.ts'

/** Clients cannot edit an import, so its version never changes. */
const onlyVersion = 1

const editorRoles = ['editor'] as const

/** Allowance for the form data around the file. */
const formBytesMax = 65_536

export function registerImportRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/imports',
    requires: editorRoles,
    summary: 'List imports, newest first',
    description: 'Imports of all sources with their status and counts.',
    problems: { 404: ['import-archive-page-not-found'] },
    params: importFilters,
    response: buildListSchema('imports', importSchema),
    handler: async (context, values) => {
      const page = parsePage(values)
      const found = await imports.listPage(context.db, page)
      const total = inferTotal(page, found.length) ?? (await imports.count(context.db))
      const items = found.map(one => toImportJson(one, context.language))
      return buildListResult(context, 'imports', items, {
        page,
        total,
        query: {},
        beyond: () => newPageNotFoundProblem('import')
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/imports',
    requires: editorRoles,
    summary: 'Start an import (site, iCalendar, CSV); a dry run unless `dry_run=false`',
    description:
      'A dry run writes nothing and reports for every item whether it is new, changed or the same. It runs as a background job: get the import to see its progress. Send the file or the URL of the source with the request.',
    params: importParams,
    response: importSchema,
    creates: true,
    bodyBytesMax: fileBytesMax + formBytesMax,
    handler: async (context, values) => {
      const { caller, now, site } = context
      const language = context.requestedLanguage ?? site.settings.defaultLanguage
      const asking = { caller, now, settings: site.settings, language }
      const file = parseUpload(values.file)
      return await createImportOnce(context, async db => await startImport(db, asking, values, { file }))
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/template.csv',
    requires: editorRoles,
    summary: 'Download a CSV template for imports',
    description: 'A CSV file with the columns that an import recognises, in the language of the request.',
    params: {},
    response: { type: 'string' },
    produces: 'text/csv',
    handler: async ({ language }) => ({
      body: {},
      text: {
        content: buildCsvTemplate(language),
        type: 'text/csv; charset=utf-8',
        headers: {
          'content-disposition': `attachment; filename="${getMessages('csv-headings', language).templateFileName}.csv"`
        }
      }
    })
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/{id}',
    requires: editorRoles,
    summary: 'Get an import with its progress and result',
    description: 'Status, progress, counts by outcome and the reason of a failure.',
    problems: { 404: ['rest-import-not-found'] },
    params: {},
    response: importSchema,
    handler: async (context, _values, { id }) => await buildImportResult(context, context.db, id)
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/{id}/rows',
    requires: editorRoles,
    summary: 'Get the report of an import (one row per item)',
    description: 'Each row has the outcome of an item of the source and the reason.',
    problems: { 404: ['rest-import-not-found', 'row-archive-page-not-found'] },
    params: rowFilters,
    response: importRowsSchema,
    handler: async ({ db, site, language, reply }, { outcome, kind, code, ...values }, { id }) => {
      const page = parsePage(values)
      if ((await imports.find(db, id)) === undefined) throw newImportNotFoundProblem(id)
      const filter = { outcome, kind, code }
      const rows = await report.listRows(db, id, filter, page)
      const total = inferTotal(page, rows.length) ?? (await report.countRows(db, id, filter))
      const { kinds, codes } = await report.countByKindAndCode(db, id)
      const pages = Math.ceil(total / page.size)
      if (page.number > 1 && page.number > pages) throw newPageNotFoundProblem('row')
      reply.headers({ 'x-wp-total': total, 'x-wp-totalpages': pages })
      const items = rows.map(row => toImportRowJson(row, { language, site }))
      return { body: { rows: items, kinds, codes, total, total_pages: pages } }
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/imports/{id}/report.csv',
    requires: editorRoles,
    summary: 'Export the report of an import as CSV',
    description: 'One line for each difference or reason, with the pages of the item here and at the source.',
    problems: { 404: ['rest-import-not-found'] },
    params: { outcome: rowFilters.outcome, kind: rowFilters.kind, code: rowFilters.code },
    response: { type: 'string' },
    produces: 'text/csv',
    handler: async ({ db, site, language }, filter, { id }) => {
      if ((await imports.find(db, id)) === undefined) throw newImportNotFoundProblem(id)
      const csv = newCsvWriter(language)
      const rows = await prefetchFirst(report.listAllRows(db, id, filter))
      const content = streamLines(csv.formatHeader(getReportHead(language)), rows, row =>
        toReportLines(toImportRowJson(row, { language, site })).map(csv.formatRow).join('')
      )
      const headers = { 'content-disposition': `attachment; filename="import-${id}.csv"` }
      return { body: {}, language, stream: { content, type: 'text/csv; charset=utf-8', headers } }
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/run',
    requires: editorRoles,
    summary: 'Run a checked import (repeat a dry run with writes)',
    description:
      'Creates a new import from the same source, which writes. Only for a dry run that is finished and whose file is still stored.',
    problems: { 404: ['rest-import-not-found'], 409: ['import-file-gone', 'import-not-finished'] },
    params: runParams,
    response: importSchema,
    creates: true,
    handler: async (context, values, { id }) =>
      await createImportOnce(
        context,
        async db => await runAgain(db, { ...context, settings: context.site.settings }, id, values)
      )
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/compare',
    requires: editorRoles,
    summary: 'Compare an import with its source, field by field',
    description:
      'Creates a comparison, which is read like an import: it fetches the site again, writes nothing, and its rows say for each item whether it is the same (`same`), differs on purpose (`explained`) or otherwise (`differs`), is not here (`missing`) or no longer at the source (`gone`).',
    problems: { 404: ['rest-import-not-found'], 409: ['import-not-comparable', 'import-login-impossible'] },
    params: compareParams,
    response: importSchema,
    creates: true,
    handler: async (context, values, { id }) =>
      await createImportOnce(
        context,
        async db => await compareImport(db, { ...context, settings: context.site.settings }, id, values)
      )
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/cancel',
    requires: editorRoles,
    summary: 'Cancel an import; what it wrote is kept and can be undone',
    description: 'Only a waiting or running import can be cancelled.',
    problems: { 404: ['rest-import-not-found'], 409: ['import-not-running'] },
    params: {},
    response: importSchema,
    handler: async (context, _values, { id }) => {
      requireVersion(parseIfMatch(context.request), onlyVersion)
      await cancelImport(context.db, context, id)
      return await buildImportResult(context, context.db, id)
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/imports/{id}/undo',
    requires: editorRoles,
    summary: 'Undo an import; later edits are kept',
    description:
      'Items that the import created are removed and items that it changed get their earlier content, except for items that were edited in the meantime. It runs as a background job.',
    problems: { 404: ['rest-import-not-found'], 409: ['import-cannot-be-undone'] },
    params: {},
    response: importSchema,
    accepted: true,
    handler: async (context, _values, { id }) => {
      requireVersion(parseIfMatch(context.request), onlyVersion)
      await undoImport(context.db, context, id)
      return await buildImportResult(context, context.db, id)
    }
  })
}

/** An empty file field of a form counts as no file. */
function parseUpload(given: unknown): SentFile | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (isFilePart(given)) return { name: given.filename, bytes: given.bytes }
  throw newInvalidParamProblem('file', 'file', buildText('import-problems', 'file'))
}

async function createImportOnce(
  context: RequestContext,
  make: (db: Database) => Promise<number>
): Promise<RouteResult> {
  return await createOnce(context, async db => {
    const id = await make(db)
    return { ...(await buildImportResult(context, db, id)), path: `/imports/${id}` }
  })
}

async function buildImportResult({ language }: RequestContext, db: Database, id: number): Promise<RouteResult> {
  const found = await imports.find(db, id)
  if (found === undefined) throw newImportNotFoundProblem(id)
  return { body: toImportJson(found, language), version: onlyVersion }
}
