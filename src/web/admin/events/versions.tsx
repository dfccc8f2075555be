import type { LeftOut, VersionJson, VersionSummaryJson } from '#calendar/events/versions/schema.ts'
import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { formatActor } from '../activity/describe-activity.ts'
import { getItemPath } from '../shared/calendar/item.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { Form, isConflict } from '../shared/form.tsx'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { type Column, Table } from '../shared/table.tsx'
import { type ListChoices, listFilterChoices } from './event-filter.ts'
import { getVersionFieldLabel, isVisibleDifference, VersionDifference } from './version-fields.tsx'

const menu = '/admin/events'

export function registerVersionRoutes(console: AdminRouter): void {
  console.get(`${menu}/:id/versions`, ['editor'], showVersions)
  console.get(`${menu}/:id/versions/:version`, ['editor'], showVersion)
  console.post(`${menu}/:id/versions/:version/restore`, ['editor'], restoreVersion)
}

const getVersionsPath = ({ params }: AdminContext) => `${menu}/${params.id}/versions`

/** API path of the version that the console's URL names. */
const getVersionApiPath = (context: AdminContext, version: string) =>
  `${getItemPath(context, 'events')}/versions/${encodeURIComponent(version)}`

async function showVersions(context: AdminContext): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('daily-work', language).versions
  const { body } = await context.api.get<{ versions: VersionSummaryJson[]; total_pages: number }>(
    `${getItemPath(context, 'events')}/versions`,
    { page: getPageNumber(context), per_page: perPage }
  )
  const newest = body.versions[0]?.version ?? 1
  const { body: shown } = await context.api.get<VersionJson>(getVersionApiPath(context, String(newest)))
  return {
    title: strings.of({ title: getTitle(context, shown) }),
    menu,
    actions: <EditLink context={context} />,
    body: (
      <>
        <p class="lead">{strings.lead}</p>
        <Table
          context={context}
          caption={strings.caption}
          columns={buildColumns(context)}
          rows={body.versions}
          empty={strings.unchanged}
        />
        <Pager context={context} page={getPageNumber(context)} pages={body.total_pages} />
      </>
    )
  }
}

function EditLink({ context }: { context: AdminContext }) {
  return (
    <a class="button quiet" href={`${menu}/${context.params.id}`}>
      {getMessages('daily-work', context.language).versions.edit}
    </a>
  )
}

/** The title in the reader's language, else in another one. */
function getTitle({ language }: AdminContext, { snapshot: { texts } }: VersionJson): string {
  return (texts[language] ?? texts.en ?? texts.de)?.title ?? ''
}

function buildColumns(context: AdminContext): Column<VersionSummaryJson>[] {
  const { language, site } = context
  const strings = getMessages('daily-work', language).versions
  return [
    {
      label: strings.version,
      isHead: true,
      cell: ({ version, is_current }) => (
        <>
          <a href={`${getVersionsPath(context)}/${version}`} aria-label={strings.showOne({ version: String(version) })}>
            {strings.number({ version: String(version) })}
          </a>{' '}
          {is_current ? <span class="badge good">{strings.current}</span> : null}
        </>
      )
    },
    {
      label: strings.saved,
      isNamed: true,
      cell: ({ saved_at }) => <time dateTime={saved_at}>{formatDateTime(language, saved_at, site.timezone)}</time>
    },
    {
      label: strings.by,
      isNamed: true,
      cell: ({ saved_by }) =>
        saved_by === null ? <span class="muted">{strings.unknown}</span> : formatActor(language, saved_by)
    },
    { label: strings.changed, isNamed: true, cell: version => formatChangedFields(context, version) }
  ]
}

function formatChangedFields(context: AdminContext, { changed, version }: VersionSummaryJson): string {
  const strings = getMessages('daily-work', context.language).versions
  if (changed === null) return version === 1 ? strings.first : strings.oldest
  if (changed.length === 0) return strings.unchanged
  return changed.map(field => getVersionFieldLabel(context, field)).join(', ')
}

async function showVersion(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('daily-work', context.language).versions
  const [{ body: version }, choices] = await Promise.all([
    context.api.get<VersionJson>(getVersionApiPath(context, context.params.version ?? '')),
    listFilterChoices(context)
  ])
  const date = formatDateTime(context.language, version.saved_at, context.site.timezone)
  return {
    title: strings.one({ version: String(version.version), title: getTitle(context, version) }),
    menu,
    actions: <EditLink context={context} />,
    body: (
      <>
        <p class="lead">
          {version.saved_by === null
            ? strings.savedOn({ date })
            : strings.savedBy({ date, name: formatActor(context.language, version.saved_by) })}
        </p>
        {version.differences.length === 0 ? (
          <p class="notice">{strings.same}</p>
        ) : (
          <Differences context={context} version={version} choices={choices} />
        )}
        <p class="all-versions">
          <a href={getVersionsPath(context)}>{strings.all}</a>
        </p>
      </>
    )
  }
}

function Differences({
  context,
  version,
  choices
}: {
  context: AdminContext
  version: VersionJson
  choices: ListChoices
}) {
  const strings = getMessages('daily-work', context.language).versions
  return (
    <>
      <h2>{strings.differences}</h2>
      <p class="small diff-legend">
        <del>{strings.legendRemoved}</del> <ins>{strings.legendAdded}</ins>
      </p>
      <dl class="card version-differences">
        {version.differences.filter(isVisibleDifference).map(difference => (
          <div key={`${difference.field} ${difference.language}`}>
            <dt>
              {getVersionFieldLabel(context, difference.field)}
              {difference.language === null ? null : (
                <span class="muted"> ({formatLanguageName(difference.language, context.language)})</span>
              )}
            </dt>
            <dd>
              <VersionDifference context={context} choices={choices} difference={difference} />
            </dd>
          </div>
        ))}
      </dl>
      <Form context={context} action={`${getVersionsPath(context)}/${version.version}/restore`}>
        <input type="hidden" name="current" value={version.current_version} />
        <p class="hint">{strings.restoreHint}</p>
        <div class="actions">
          <button type="submit">{strings.restore}</button>
        </div>
      </Form>
    </>
  )
}

async function restoreVersion(context: AdminContext): Promise<Redirect> {
  const strings = getMessages('daily-work', context.language).versions
  const version = context.params.version ?? ''
  const current = getFormField(context, 'current')
  try {
    const { body } = await context.api.post<{ event: CalendarEvent; left_out: LeftOut[] }>(
      `${getVersionApiPath(context, version)}/restore`,
      {},
      /^\d{1,15}$/.test(current) ? { 'if-match': `"${current}"` } : {}
    )
    const leftOut = body.left_out.map(
      ({ field, id }) => getVersionFieldLabel(context, field) + (id === null ? '' : ` #${id}`)
    )
    context.flash({
      text: [
        strings.restored({ version }),
        ...(leftOut.length === 0 ? [] : [strings.leftOut({ fields: leftOut.join(', ') })])
      ].join(' ')
    })
    return redirect(body.event.status === 'trash' ? getVersionsPath(context) : `${menu}/${context.params.id}`, 303)
  } catch (error) {
    if (!isConflict(error)) throw error
    context.flash({ text: strings.meanwhile, tone: 'bad' })
    return redirect(`${getVersionsPath(context)}/${encodeURIComponent(version)}`, 303)
  }
}
