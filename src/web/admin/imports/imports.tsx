import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter, Download } from '../shared/context.ts'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { Table } from '../shared/table.tsx'
import { startComparison } from './comparison.tsx'
import { formBytesMax, showForm, startImport } from './import-form.tsx'
import { parseMapping } from './import-mapping.tsx'
import { getRowFilter, showImport } from './import-page.tsx'
import { formatCounts, StatusBadge } from './import-parts.tsx'
import {
  formatOrigin,
  getImportApiPath,
  getImportPagePath,
  type Import,
  importsPath,
  menu,
  policies,
  sourceNames
} from './import-types.ts'

const editors: AdminRole[] = ['editor']

/** Imports a calendar from elsewhere: source, check, report, import. */
export function registerImportRoutes(console: AdminRouter): void {
  const one = `${menu}/:id`
  console.get(menu, editors, showImports)
  console.get(`${menu}/new/:source`, editors, showForm)
  console.post(`${menu}/new/:source`, editors, startImport, formBytesMax)
  console.get(`${menu}/template.csv`, editors, downloadTemplate)
  console.get(one, editors, showImport)
  console.post(`${one}/check`, editors, async context => await repeatImport(context, true))
  console.post(`${one}/compare`, editors, startComparison)
  console.get(`${one}/report.csv`, editors, downloadReport)
  console.post(`${one}/run`, editors, async context => await repeatImport(context, false))
  console.post(`${one}/cancel`, editors, cancel)
  console.get(`${one}/undo`, editors, askToUndo)
  console.post(`${one}/undo`, editors, undo)
}

interface ImportList {
  imports: Import[]
  total: number
  total_pages: number
}

async function showImports(context: AdminContext): Promise<AdminPage> {
  const { body } = await context.api.get<ImportList>(importsPath, { page: getPageNumber(context), per_page: perPage })
  return buildListPage(context, body)
}

function buildListPage(context: AdminContext, { imports, total_pages }: ImportList): AdminPage {
  const { language, site } = context
  const strings = getMessages('import', language)
  return {
    title: strings.title,
    menu,
    body: (
      <>
        <p class="muted narrow">{strings.lead}</p>
        <ul class="import-sources">
          {sourceNames.map(source => (
            <li key={source} class="card">
              <h2>{strings.sources[source].title}</h2>
              <p>{strings.sources[source].text}</p>
              <p class="actions">
                <a class="button" href={`${menu}/new/${source}`}>
                  {strings.sources[source].action}
                </a>
                {source === 'csv' ? <a href={`${menu}/template.csv`}>{strings.template}</a> : null}
              </p>
            </li>
          ))}
        </ul>
        <h2>{strings.earlier}</h2>
        <Table
          context={context}
          caption={strings.earlier}
          empty={<p>{strings.none}</p>}
          rows={imports}
          columns={[
            {
              label: strings.when,
              cell: ({ created_at }) => (
                <time class="nowrap" dateTime={created_at}>
                  {formatDateTime(language, created_at, site.timezone)}
                </time>
              )
            },
            {
              label: strings.source,
              isHead: true,
              cell: one => (
                <>
                  <a class="anywhere" href={`${menu}/${one.id}`}>
                    {formatOrigin(one)}
                  </a>
                  <span class="sub">{strings.sources[one.source].title}</span>
                </>
              )
            },
            {
              label: strings.what,
              cell: ({ dry_run, compares }) =>
                compares
                  ? getMessages('import-report', language).isComparison
                  : dry_run
                    ? strings.isCheck
                    : strings.isRun
            },
            { label: strings.state, cell: ({ status }) => <StatusBadge context={context} status={status} /> },
            { label: strings.result, cell: one => formatCounts(context, one) }
          ]}
        />
        <Pager context={context} page={getPageNumber(context)} pages={total_pages} />
      </>
    )
  }
}

async function downloadTemplate(context: AdminContext): Promise<Download> {
  const { text } = await context.api.download(`${importsPath}/template.csv`)
  return { text, type: 'text/csv; charset=utf-8', fileName: 'kalends-events.csv' }
}

async function downloadReport(context: AdminContext): Promise<Download> {
  const path = withQuery(getImportApiPath(context, '/report.csv'), {
    ...getRowFilter(context),
    language: context.language
  })
  const { text } = await context.api.download(path)
  return { text, type: 'text/csv; charset=utf-8', fileName: `kalends-import-${context.params.id ?? ''}.csv` }
}

/** Runs the same source again: another dry run with other columns, or the real import. */
async function repeatImport(context: AdminContext, dryRun: boolean): Promise<Redirect> {
  const policy = policies.find(one => one === getFormField(context, 'policy'))
  const { body: before } = await context.api.get<Import>(getImportApiPath(context))
  const mapping = parseMapping(context, before.columns)
  const { body } = await context.api.post<Import>(getImportApiPath(context, '/run'), {
    dry_run: dryRun,
    ...(policy === undefined ? {} : { policy }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(before.username === null ? {} : { password: getFormField(context, 'password') })
  })
  return redirect(`${menu}/${body.id}`, 303)
}

async function cancel(context: AdminContext): Promise<Redirect> {
  await context.api.post(getImportApiPath(context, '/cancel'))
  context.flash({ text: getMessages('import', context.language).cancelled })
  return redirect(getImportPagePath(context), 303)
}

async function askToUndo(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('import', context.language)
  const { body } = await context.api.get<Import>(getImportApiPath(context))
  return buildConfirmPage(context, {
    title: strings.undoTitle,
    text: `${formatOrigin(body)}: ${formatCounts(context, body)}. ${strings.undoText}`,
    menu,
    action: getImportPagePath(context, '/undo'),
    yes: strings.undo,
    no: { label: strings.undoKeep, href: getImportPagePath(context) }
  })
}

async function undo(context: AdminContext): Promise<Redirect> {
  await context.api.post(getImportApiPath(context, '/undo'))
  return redirect(getImportPagePath(context), 303)
}
