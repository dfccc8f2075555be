import { shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { importWords } from '../../text/imports.ts'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, ConsoleRole, Desk, Download } from '../console.ts'
import { pageOf, perPage } from '../list-address.ts'
import { questionPage } from '../question.tsx'
import { Pager, Table } from '../table.tsx'
import { apiPath, type Import, importsPath, menu, originOf, pagePath, policies, sourceNames } from './import-answers.ts'
import { formBytesMax, showForm, startImport } from './import-form.tsx'
import { mappingIn } from './import-mapping.tsx'
import { showImport } from './import-page.tsx'
import { countsIn, StatusBadge } from './import-parts.tsx'

const editors: ConsoleRole[] = ['editor']

/** Taking over a calendar from elsewhere: source, check, report, import. */
export function importPages(console: Console): void {
  const one = `${menu}/:id`
  console.show(menu, editors, showImports)
  console.show(`${menu}/new/:source`, editors, showForm)
  console.take(`${menu}/new/:source`, editors, startImport, formBytesMax)
  console.show(`${menu}/template.csv`, editors, downloadTemplate)
  console.show(one, editors, showImport)
  console.take(`${one}/check`, editors, async desk => await again(desk, true))
  console.take(`${one}/run`, editors, async desk => await again(desk, false))
  console.take(`${one}/cancel`, editors, cancel)
  console.show(`${one}/undo`, editors, askToUndo)
  console.take(`${one}/undo`, editors, undo)
}

interface ImportList {
  imports: Import[]
  total: number
  total_pages: number
}

async function showImports(desk: Desk): Promise<ConsolePage> {
  const { body } = await desk.api.get<ImportList>(importsPath, { page: pageOf(desk), per_page: perPage })
  return listPage(desk, body)
}

function listPage(desk: Desk, { imports, total_pages }: ImportList): ConsolePage {
  const { language, site } = desk
  const words = importWords[language]
  return {
    title: words.title,
    menu,
    body: (
      <>
        <p class="faded narrow">{words.lead}</p>
        <ul class="import-sources">
          {sourceNames.map(source => (
            <li key={source} class="card">
              <h2>{words.sources[source].title}</h2>
              <p>{words.sources[source].text}</p>
              <p class="actions">
                <a class="button" href={`${menu}/new/${source}`}>
                  {words.sources[source].action}
                </a>
                {source === 'csv' ? <a href={`${menu}/template.csv`}>{words.template}</a> : null}
              </p>
            </li>
          ))}
        </ul>
        <h2>{words.earlier}</h2>
        <Table
          desk={desk}
          caption={words.earlier}
          empty={<p>{words.none}</p>}
          rows={imports}
          columns={[
            {
              label: words.when,
              cell: ({ created_at }) => (
                <time class="nowrap" dateTime={created_at}>
                  {shortMoment(language, created_at, site.timezone)}
                </time>
              )
            },
            {
              label: words.source,
              isHead: true,
              cell: one => (
                <>
                  <a class="anywhere" href={`${menu}/${one.id}`}>
                    {originOf(one)}
                  </a>
                  <span class="sub">{words.sources[one.source].title}</span>
                </>
              )
            },
            { label: words.what, cell: ({ dry_run }) => (dry_run ? words.isCheck : words.isRun) },
            { label: words.state, cell: ({ status }) => <StatusBadge desk={desk} status={status} /> },
            { label: words.result, cell: one => countsIn(desk, one) }
          ]}
        />
        <Pager desk={desk} page={pageOf(desk)} pages={total_pages} />
      </>
    )
  }
}

async function downloadTemplate(desk: Desk): Promise<Download> {
  const { text } = await desk.api.raw({ method: 'GET', path: `${importsPath}/template.csv`, headers: {} })
  return { text, type: 'text/csv; charset=utf-8', fileName: 'kalends-events.csv' }
}

/** The same source once more: to look again with other columns, or for real. */
async function again(desk: Desk, dryRun: boolean): Promise<Redirect> {
  const policy = policies.find(one => one === field(desk, 'policy'))
  const { body: before } = await desk.api.get<Import>(apiPath(desk))
  const mapping = mappingIn(desk, before.columns)
  const { body } = await desk.api.post<Import>(apiPath(desk, '/run'), {
    dry_run: dryRun,
    ...(policy === undefined ? {} : { policy }),
    ...(mapping === undefined ? {} : { mapping })
  })
  return redirect(`${menu}/${body.id}`, 303)
}

async function cancel(desk: Desk): Promise<Redirect> {
  await desk.api.post(apiPath(desk, '/cancel'))
  desk.say({ text: importWords[desk.language].cancelled })
  return redirect(pagePath(desk), 303)
}

async function askToUndo(desk: Desk): Promise<ConsolePage> {
  const words = importWords[desk.language]
  const { body } = await desk.api.get<Import>(apiPath(desk))
  return questionPage(desk, {
    title: words.undoTitle,
    text: `${originOf(body)}: ${countsIn(desk, body)}. ${words.undoText}`,
    menu,
    action: pagePath(desk, '/undo'),
    yes: words.undo,
    no: { label: words.undoKeep, href: pagePath(desk) }
  })
}

async function undo(desk: Desk): Promise<Redirect> {
  await desk.api.post(apiPath(desk, '/undo'))
  return redirect(pagePath(desk), 303)
}
