import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { formatDateTime, formatIban } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { accountRequestsPath, listAccountRequests } from './account-request-notices.tsx'

const readers: AdminRole[] = ['editor', 'treasurer']

/** Account changes that wait for confirmation by a second person. */
export function registerAccountRequestRoutes(pages: AdminRouter): void {
  pages.get(accountRequestsPath, readers, async context => buildListPage(context, await listAccountRequests(context)))
  pages.get(`${accountRequestsPath}/:id`, readers, async context =>
    buildRequestPage(context, await findRequest(context))
  )
  pages.post(`${accountRequestsPath}/:id/confirm`, ['treasurer'], confirm)
  pages.post(`${accountRequestsPath}/:id/end`, readers, end)
}

const getApiPath = ({ params }: AdminContext) => `/account-requests/${encodeURIComponent(params.id ?? '')}`

async function findRequest(context: AdminContext): Promise<AccountRequest> {
  return (await context.api.get<AccountRequest>(getApiPath(context))).body
}

async function confirm(context: AdminContext): Promise<AdminPage | Redirect> {
  const request = await findRequest(context)
  try {
    await context.api.post(`${getApiPath(context)}/confirm`)
  } catch (error) {
    return buildRequestPage(context, request, toFormErrors(error).general)
  }
  const { confirmed } = getMessages('account-request', context.language)
  context.flash({ text: request.change === 'turn_off' ? confirmed.turnOff : confirmed.account })
  return redirect(getEditPath(context, request), 303)
}

async function end(context: AdminContext): Promise<Redirect> {
  const request = await findRequest(context)
  await context.api.delete(getApiPath(context))
  const strings = getMessages('account-request', context.language)
  context.flash({ text: request.isOwn ? strings.withdrawn : strings.rejected })
  return redirect(getEditPath(context, request), 303)
}

/** Path of the form that edits the account; the site's settings are for admins only. */
function getEditPath(context: AdminContext, { campaignId }: AccountRequest): string {
  if (campaignId !== null) return `/admin/campaigns/${campaignId}`
  return context.hasRole() ? '/admin/settings' : '/admin'
}

function getTitle(context: AdminContext, { change, campaignName }: AccountRequest): string {
  const { what } = getMessages('account-request', context.language)
  return change === 'campaign_account' ? what[change]({ campaign: campaignName ?? '' }) : what[change]
}

function buildListPage(context: AdminContext, requests: AccountRequest[]): AdminPage {
  const { language, site } = context
  const strings = getMessages('account-request', language)
  return {
    title: strings.title,
    menu: '/admin/campaigns',
    body: (
      <div class="narrow">
        {requests.length === 0 ? (
          <p class="lead">{strings.none}</p>
        ) : (
          <ul class="lines card">
            {requests.map(request => (
              <li key={request.id} class="line">
                <div class="line-main">
                  <p class="line-title">
                    <a href={`${accountRequestsPath}/${request.id}`}>{getTitle(context, request)}</a>
                  </p>
                  <p class="line-hint">
                    {strings.waiting({
                      who: formatActor(language, request.askedBy),
                      at: formatDateTime(language, request.askedAt, site.timezone)
                    })}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    )
  }
}

/** Confirmation page with all facts the second person needs to decide. */
function buildRequestPage(context: AdminContext, request: AccountRequest, refused?: string): AdminPage {
  const { language } = context
  const strings = getMessages('account-request', language)
  const { canConfirm, isOwn, account } = request
  return {
    title: getTitle(context, request),
    menu: request.campaignId === null ? '/admin/settings' : '/admin/campaigns',
    status: refused === undefined ? 200 : 409,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', language).mend} errors={{}} general={refused} />
        <p class="lead">
          {canConfirm ? (account === null ? strings.askToTurnOff : strings.ask) : isOwn ? strings.own : strings.others}
        </p>
        <div class="card">
          <Facts context={context} request={request} />
        </div>
        <div class="actions">
          {canConfirm ? (
            <Form context={context} action={`${accountRequestsPath}/${request.id}/confirm`}>
              <button type="submit">{account === null ? strings.confirm.turnOff : strings.confirm.account}</button>
            </Form>
          ) : null}
          {isOwn || context.hasRole('treasurer') ? (
            <Form context={context} action={`${accountRequestsPath}/${request.id}/end`}>
              <button type="submit" class="danger">
                {isOwn ? strings.withdraw : strings.reject}
              </button>
            </Form>
          ) : null}
          <a class="button quiet" href={getEditPath(context, request)}>
            {strings.back}
          </a>
        </div>
      </div>
    )
  }
}

function Facts({ context, request }: { context: AdminContext; request: AccountRequest }) {
  const { language, site } = context
  const strings = getMessages('account-request', language)
  const { account, ibanBefore, campaignId, campaignName, askedBy, askedAt, expiresAt } = request
  return (
    <dl class="facts facts-grid">
      {campaignId === null ? null : (
        <div>
          <dt>{strings.campaign}</dt>
          <dd>
            <a href={`/admin/campaigns/${campaignId}`}>{campaignName ?? campaignId}</a>
          </dd>
        </div>
      )}
      {account === null ? null : (
        <>
          <div>
            <dt>{strings.before}</dt>
            <dd>{ibanBefore === null ? strings.noAccount : formatIban(ibanBefore)}</dd>
          </div>
          <div>
            <dt>{strings.after}</dt>
            <dd>
              <strong>{formatIban(account.iban)}</strong>
              {account.ibanValid ? null : <span class="below">{strings.notValid}</span>}
            </dd>
          </div>
          <div>
            <dt>{strings.holder}</dt>
            <dd>{account.name ?? strings.holderStays}</dd>
          </div>
          {account.nameOfBank === null ? null : (
            <div>
              <dt>{strings.bank}</dt>
              <dd>{account.nameOfBank}</dd>
            </div>
          )}
        </>
      )}
      <div>
        <dt>{strings.askedBy}</dt>
        <dd>{formatActor(language, askedBy)}</dd>
      </div>
      <div>
        <dt>{strings.askedAt}</dt>
        <dd>
          <time dateTime={askedAt}>{formatDateTime(language, askedAt, site.timezone)}</time>
        </dd>
      </div>
      <div>
        <dt>{strings.ends}</dt>
        <dd>
          <time dateTime={expiresAt}>{formatDateTime(language, expiresAt, site.timezone)}</time>
        </dd>
      </div>
    </dl>
  )
}
