import type { SubscriptionJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { Table } from '../shared/table.tsx'
import { changeSubscription, createSubscription, showEditForm, showNewForm } from './subscription-form.tsx'
import { showSubscription } from './subscription-page.tsx'
import { Moment, NextRun, ResultBadge } from './subscription-parts.tsx'
import {
  getSubscriptionApiPath,
  getSubscriptionPagePath,
  menu,
  type SubscriptionList,
  subscriptionsPath
} from './subscription-paths.ts'
import { showReport } from './subscription-report.tsx'

const editors: AdminRole[] = ['editor']

/** Calendars of others that are read again and again. */
export function registerSubscriptionRoutes(console: AdminRouter): void {
  const one = `${menu}/:id`
  console.get(menu, editors, showSubscriptions)
  console.get(`${menu}/new`, editors, showNewForm)
  console.post(`${menu}/new`, editors, createSubscription)
  console.get(one, editors, showSubscription)
  console.get(`${one}/edit`, editors, showEditForm)
  console.post(`${one}/edit`, editors, changeSubscription)
  console.get(`${one}/runs/:run`, editors, showReport)
  console.post(`${one}/refresh`, editors, refresh)
  console.post(`${one}/pause`, editors, async context => await setPaused(context, true))
  console.post(`${one}/resume`, editors, async context => await setPaused(context, false))
  console.post(`${one}/apply`, editors, apply)
  console.post(`${one}/resolve`, editors, resolve)
  console.get(`${one}/delete`, editors, askToDelete)
  console.post(`${one}/delete`, editors, deleteSubscription)
}

async function showSubscriptions(context: AdminContext): Promise<AdminPage> {
  const query = { page: getPageNumber(context), per_page: perPage }
  const { body } = await context.api.get<SubscriptionList>(subscriptionsPath, query)
  const { language } = context
  const strings = getMessages('subscription', language)
  return {
    title: strings.title,
    menu,
    actions: (
      <a class="button" href={`${menu}/new`}>
        {strings.create}
      </a>
    ),
    body: (
      <>
        <p class="muted narrow">{strings.lead}</p>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={body.subscriptions}
          columns={[
            { label: strings.calendar, isHead: true, cell: row => <Name one={row} /> },
            { label: strings.lastRun, isNamed: true, cell: row => <LastRun context={context} one={row} /> },
            { label: strings.nextRun, isNamed: true, cell: row => <NextRun context={context} one={row} /> },
            { label: strings.events, isNumber: true, cell: row => formatNumber(language, row.counts.events) },
            { label: strings.problem, cell: row => <Problem context={context} one={row} /> }
          ]}
        />
        <Pager context={context} page={getPageNumber(context)} pages={body.total_pages} />
      </>
    )
  }
}

function Name({ one }: { one: SubscriptionJson }) {
  return (
    <>
      <a class="anywhere" href={`${menu}/${one.id}`}>
        {one.name}
      </a>
      <span class="sub anywhere">{one.url.replace(/^https?:\/\//, '')}</span>
    </>
  )
}

function LastRun({ context, one }: { context: AdminContext; one: SubscriptionJson }) {
  if (one.last_run_at === null) return <>{getMessages('subscription', context.language).never}</>
  return (
    <>
      <Moment context={context} at={one.last_run_at} />{' '}
      {one.last_result === null ? null : <ResultBadge context={context} result={one.last_result} />}
    </>
  )
}

function Problem({ context, one }: { context: AdminContext; one: SubscriptionJson }) {
  const strings = getMessages('subscription', context.language)
  const { conflicts } = one.counts
  return (
    <>
      {one.error === null ? null : <span class="anywhere">{one.error} </span>}
      {conflicts === 0 ? null : (
        <a href={`${menu}/${one.id}#conflicts`}>
          {strings.conflicts}: {formatNumber(context.language, conflicts)}
        </a>
      )}
    </>
  )
}

async function refresh(context: AdminContext): Promise<Redirect> {
  await context.api.post(getSubscriptionApiPath(context, '/refresh'))
  context.flash({ text: getMessages('subscription', context.language).refreshed })
  return redirect(getSubscriptionPagePath(context), 303)
}

async function setPaused(context: AdminContext, isPaused: boolean): Promise<Redirect> {
  const strings = getMessages('subscription', context.language)
  await context.api.patch(getSubscriptionApiPath(context), { is_paused: isPaused })
  context.flash({ text: isPaused ? strings.pausedNow : strings.resumed })
  return redirect(getSubscriptionPagePath(context), 303)
}

async function apply(context: AdminContext): Promise<Redirect> {
  await context.api.post(getSubscriptionApiPath(context, '/apply'), { how: getFormField(context, 'how') })
  context.flash({ text: getMessages('subscription', context.language).applied })
  return redirect(getSubscriptionPagePath(context), 303)
}

async function resolve(context: AdminContext): Promise<Redirect> {
  const strings = getMessages('subscription', context.language)
  const take = getFormField(context, 'take')
  await context.api.post(getSubscriptionApiPath(context, '/resolve'), { event: getFormField(context, 'event'), take })
  context.flash({ text: take === 'theirs' ? strings.taken : strings.kept })
  return redirect(getSubscriptionPagePath(context), 303)
}

async function askToDelete(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('subscription', context.language)
  const { body } = await context.api.get<SubscriptionJson>(getSubscriptionApiPath(context))
  return buildConfirmPage(context, {
    title: strings.deleteTitle,
    text: strings.deleteText({ name: body.name }),
    menu,
    action: getSubscriptionPagePath(context, '/delete'),
    yes: strings.delete,
    no: { label: strings.deleteKeep, href: getSubscriptionPagePath(context) },
    fields: (
      <fieldset class="field choices">
        <legend>{strings.deleteEvents}</legend>
        {(['keep', 'trash'] as const).map(choice => (
          <label key={choice} class="check">
            <input type="radio" name="events" value={choice} checked={choice === 'keep'} />
            <span>{strings.deleteChoices[choice]}</span>
          </label>
        ))}
      </fieldset>
    )
  })
}

async function deleteSubscription(context: AdminContext): Promise<Redirect> {
  const events = getFormField(context, 'events') === 'trash' ? 'trash' : 'keep'
  await context.api.delete(`${getSubscriptionApiPath(context)}?events=${events}`)
  context.flash({ text: getMessages('subscription', context.language).deleted })
  return redirect(menu, 303)
}
