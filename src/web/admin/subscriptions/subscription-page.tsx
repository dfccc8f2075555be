import type {
  SubscribedEventJson,
  SubscriptionJson,
  SubscriptionRunJson
} from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { Table } from '../shared/table.tsx'
import { Conflicts, GoneEvents, itemsShown } from './subscription-items.tsx'
import { formatCounts, formatInterval, isBeingRead, Moment, NextRun, ResultBadge } from './subscription-parts.tsx'
import { getSubscriptionApiPath, getSubscriptionPagePath, menu } from './subscription-paths.ts'

interface RunList {
  runs: SubscriptionRunJson[]
  total_pages: number
}

interface EventList {
  events: SubscribedEventJson[]
  total: number
}

export async function showSubscription(context: AdminContext): Promise<AdminPage> {
  const { api } = context
  const listItems = async (state: string) =>
    (await api.get<EventList>(getSubscriptionApiPath(context, '/events'), { state, per_page: itemsShown })).body
  const [{ body: one }, { body: runs }, conflicts, gone] = await Promise.all([
    api.get<SubscriptionJson>(getSubscriptionApiPath(context)),
    api.get<RunList>(getSubscriptionApiPath(context, '/runs'), { page: getPageNumber(context), per_page: perPage }),
    listItems('conflict'),
    listItems('gone')
  ])
  const strings = getMessages('subscription', context.language)
  const isReading = isBeingRead(one, context.now)
  return {
    title: one.name,
    menu,
    // The island loads the page again when the calendar has been read.
    scripts: isReading ? ['import'] : [],
    actions: <Actions context={context} one={one} isReading={isReading} />,
    body: (
      <>
        {isReading ? <Reading context={context} /> : null}
        <Facts context={context} one={one} />
        <Problem context={context} one={one} />
        <Conflicts context={context} events={conflicts.events} total={conflicts.total} />
        <GoneEvents context={context} events={gone.events} />
        <h2>{strings.runs}</h2>
        <Runs context={context} runs={runs} />
        <p class="danger-zone">
          <a class="button danger small" href={getSubscriptionPagePath(context, '/delete')}>
            {strings.delete}
          </a>
        </p>
      </>
    )
  }
}

function Actions({ context, one, isReading }: { context: AdminContext; one: SubscriptionJson; isReading: boolean }) {
  const strings = getMessages('subscription', context.language)
  const button = (path: string, label: string, look = 'quiet') => (
    <ActionButton context={context} action={getSubscriptionPagePath(context, path)} label={label} look={look} />
  )
  return (
    <>
      {one.is_paused || isReading ? null : button('/refresh', strings.refresh, '')}
      {one.is_paused ? button('/resume', strings.resume, '') : button('/pause', strings.pause)}
      <a class="button quiet" href={getSubscriptionPagePath(context, '/edit')}>
        {strings.edit}
      </a>
    </>
  )
}

function Reading({ context }: { context: AdminContext }) {
  const strings = getMessages('subscription', context.language)
  return (
    <p class="notice" data-live role="status">
      {strings.reading}{' '}
      <a href={getSubscriptionPagePath(context)} data-without-script>
        {strings.reload}
      </a>
    </p>
  )
}

/** What is wrong, and what an editor can do about it. */
function Problem({ context, one }: { context: AdminContext; one: SubscriptionJson }) {
  const { language } = context
  const strings = getMessages('subscription', language)
  if (one.problem === null) {
    if (one.error === null) return null
    return (
      <p class="notice warn">
        {one.error} {strings.failures({ count: formatNumber(language, one.failures) })}
      </p>
    )
  }
  const isFailing = one.problem === 'failing'
  const action = getSubscriptionPagePath(context, '/apply')
  return (
    <section class="card" aria-labelledby="problem">
      <h2 id="problem">{isFailing ? strings.failingTitle : strings.applyTitle}</h2>
      <p class="notice bad">{one.error}</p>
      <p>{isFailing ? strings.failingText : strings.applyText}</p>
      {isFailing ? null : (
        <div class="actions">
          {one.problem === 'ids-changed' ? (
            <ActionButton context={context} action={action} label={strings.match} fields={{ how: 'match' }} look="" />
          ) : null}
          <ActionButton
            context={context}
            action={action}
            label={strings.anyway}
            fields={{ how: 'anyway' }}
            look={one.problem === 'ids-changed' ? 'quiet' : ''}
          />
        </div>
      )}
    </section>
  )
}

function Facts({ context, one }: { context: AdminContext; one: SubscriptionJson }) {
  const { language } = context
  const strings = getMessages('subscription', language)
  return (
    <dl class="facts">
      <div>
        <dt>{one.source === null ? strings.address : strings.sources[one.source]}</dt>
        <dd>
          <a class="anywhere" href={one.url} rel="noreferrer">
            {one.url}
          </a>
        </dd>
      </div>
      <div>
        <dt>{strings.events}</dt>
        <dd>{formatNumber(language, one.counts.events)}</dd>
      </div>
      <div>
        <dt>{strings.lastRun}</dt>
        <dd>{one.last_run_at === null ? strings.never : <Moment context={context} at={one.last_run_at} />}</dd>
      </div>
      <div>
        <dt>{strings.nextRun}</dt>
        <dd>
          <NextRun context={context} one={one} />
        </dd>
      </div>
      <div>
        <dt>{strings.interval}</dt>
        <dd>{formatInterval(context, one.interval)}</dd>
      </div>
      <div>
        <dt>{strings.status}</dt>
        <dd>{strings.statuses[one.status]}</dd>
      </div>
      <div>
        <dt>{strings.gone}</dt>
        <dd>{strings.goneActions[one.gone]}</dd>
      </div>
    </dl>
  )
}

function Runs({ context, runs: { runs, total_pages: pages } }: { context: AdminContext; runs: RunList }) {
  const { language } = context
  const strings = getMessages('subscription', language)
  return (
    <>
      <Table
        context={context}
        caption={strings.runs}
        empty={<p>{strings.runsNone}</p>}
        rows={runs}
        columns={[
          { label: strings.when, isHead: true, cell: run => <RunTime context={context} run={run} /> },
          {
            label: strings.result,
            cell: run => (
              <>
                <ResultBadge context={context} result={run.result} />{' '}
                {run.times === 1 ? null : (
                  <span class="muted">{strings.times({ count: formatNumber(language, run.times) })}</span>
                )}
              </>
            )
          },
          {
            label: strings.events,
            cell: run => (
              <>
                {run.error === null ? formatCounts(context, run.counts) : <span class="anywhere">{run.error}</span>}{' '}
                {run.result === 'changed' || run.result === 'running' ? (
                  <a href={getSubscriptionPagePath(context, `/runs/${run.id}`)}>{strings.report}</a>
                ) : null}
              </>
            )
          }
        ]}
      />
      <Pager context={context} page={getPageNumber(context)} pages={pages} />
    </>
  )
}

function RunTime({ context, run }: { context: AdminContext; run: SubscriptionRunJson }) {
  return (
    <>
      <Moment context={context} at={run.started_at} />
      {run.times === 1 || run.finished_at === null ? null : (
        <>
          {' – '}
          <Moment context={context} at={run.finished_at} />
        </>
      )}
    </>
  )
}
