import type { SubscriptionJson, SubscriptionRowJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { throwMalformedAsNotFound } from '../../server/api-client.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { Table } from '../shared/table.tsx'
import { getSubscriptionApiPath, getSubscriptionPagePath, menu } from './subscription-paths.ts'

const badgeClasses: Record<SubscriptionRowJson['outcome'], string> = {
  new: 'good',
  changed: '',
  conflict: 'warn',
  gone: 'plain',
  restored: 'good',
  skipped: 'plain',
  problem: 'bad'
}

/** What a run did, event by event. */
export async function showReport(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('subscription', context.language)
  const [{ body: one }, { body: report }] = await Promise.all([
    context.api.get<SubscriptionJson>(getSubscriptionApiPath(context)),
    context.api
      .get<{ rows: SubscriptionRowJson[]; total_pages: number }>(getSubscriptionApiPath(context, '/rows'), {
        run: context.params.run,
        page: getPageNumber(context),
        per_page: perPage
      })
      .catch(throwMalformedAsNotFound)
  ])
  return {
    title: strings.reportOf({ name: one.name }),
    menu,
    actions: (
      <a class="button quiet" href={getSubscriptionPagePath(context)}>
        {strings.back}
      </a>
    ),
    body: (
      <>
        <Table
          context={context}
          caption={strings.report}
          empty={<p>{strings.reportNone}</p>}
          rows={report.rows}
          columns={[
            { label: strings.event, isHead: true, cell: row => <Title row={row} without={strings.noTitle} /> },
            {
              label: strings.outcome,
              cell: ({ outcome }) => <span class={`badge ${badgeClasses[outcome]}`}>{strings.outcomes[outcome]}</span>
            },
            { label: strings.reasons, cell: ({ reasons }) => <span class="anywhere">{reasons.join(' ')}</span> }
          ]}
        />
        <Pager context={context} page={getPageNumber(context)} pages={report.total_pages} />
      </>
    )
  }
}

function Title({ row, without }: { row: SubscriptionRowJson; without: string }) {
  const title = row.title === '' ? without : row.title
  if (row.kind !== 'event' || row.item_id === null) return <span class="anywhere">{title}</span>
  return (
    <a class="anywhere" href={`/admin/events/${row.item_id}`}>
      {title}
    </a>
  )
}
