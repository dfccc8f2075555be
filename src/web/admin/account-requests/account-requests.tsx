import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import { ibanInFours, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { accountRequestWords } from '../../text/account-requests.ts'
import { consoleWords } from '../../text/console.ts'
import { ErrorSummary } from '../../ui/field.tsx'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { actorOf } from '../site/activity-words.ts'
import { accountRequestsPath, listAccountRequests } from './account-request-notices.tsx'

const readers: ConsoleRole[] = ['editor', 'treasurer']

/** Changes of accounts that wait for a second person. */
export function accountRequestPages(pages: Console): void {
  pages.show(accountRequestsPath, readers, async desk => listPage(desk, await listAccountRequests(desk)))
  pages.show(`${accountRequestsPath}/:id`, readers, async desk => requestPage(desk, await find(desk)))
  pages.take(`${accountRequestsPath}/:id/confirm`, ['treasurer'], confirm)
  pages.take(`${accountRequestsPath}/:id/end`, readers, end)
}

const apiPath = ({ params }: Desk) => `/account-requests/${encodeURIComponent(params.id ?? '')}`

async function find(desk: Desk): Promise<AccountRequest> {
  return (await desk.api.get<AccountRequest>(apiPath(desk))).body
}

async function confirm(desk: Desk): Promise<ConsolePage | Redirect> {
  const request = await find(desk)
  try {
    await desk.api.post(`${apiPath(desk)}/confirm`)
  } catch (error) {
    return requestPage(desk, request, refusedForm(error).general)
  }
  const { confirmed } = accountRequestWords[desk.language]
  desk.say({ text: request.change === 'turn_off' ? confirmed.turnOff : confirmed.account })
  return redirect(placeOf(desk, request), 303)
}

async function end(desk: Desk): Promise<Redirect> {
  const request = await find(desk)
  await desk.api.delete(apiPath(desk))
  const words = accountRequestWords[desk.language]
  desk.say({ text: request.isOwn ? words.withdrawn : words.rejected })
  return redirect(placeOf(desk, request), 303)
}

/** Where the account is edited; settings are for admins. */
function placeOf(desk: Desk, { campaignId }: AccountRequest): string {
  if (campaignId !== null) return `/admin/campaigns/${campaignId}`
  return desk.may() ? '/admin/settings' : '/admin'
}

function titleOf(desk: Desk, { change, campaignName }: AccountRequest): string {
  return accountRequestWords[desk.language].what[change](campaignName ?? '')
}

function listPage(desk: Desk, requests: AccountRequest[]): ConsolePage {
  const { language, site } = desk
  const words = accountRequestWords[language]
  return {
    title: words.title,
    menu: '/admin/campaigns',
    body: (
      <div class="narrow">
        {requests.length === 0 ? (
          <p class="lead">{words.none}</p>
        ) : (
          <ul class="lines card">
            {requests.map(request => (
              <li key={request.id} class="line">
                <div class="line-main">
                  <p class="line-title">
                    <a href={`${accountRequestsPath}/${request.id}`}>{titleOf(desk, request)}</a>
                  </p>
                  <p class="line-hint">
                    {words.waiting(
                      actorOf(language, request.askedBy),
                      shortMoment(language, request.askedAt, site.timezone)
                    )}
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

/** Everything that the second person has to know, and the question. */
function requestPage(desk: Desk, request: AccountRequest, refused?: string): ConsolePage {
  const { language } = desk
  const words = accountRequestWords[language]
  const { canConfirm, isOwn, account } = request
  return {
    title: titleOf(desk, request),
    menu: request.campaignId === null ? '/admin/settings' : '/admin/campaigns',
    status: refused === undefined ? 200 : 409,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[language].mend} errors={{}} general={refused} />
        <p class="lead">
          {canConfirm ? (account === null ? words.askToTurnOff : words.ask) : isOwn ? words.own : words.others}
        </p>
        <section class="card">
          <Facts desk={desk} request={request} />
        </section>
        <div class="actions">
          {canConfirm ? (
            <Form desk={desk} action={`${accountRequestsPath}/${request.id}/confirm`}>
              <button type="submit">{account === null ? words.confirm.turnOff : words.confirm.account}</button>
            </Form>
          ) : null}
          {isOwn || desk.may('treasurer') ? (
            <Form desk={desk} action={`${accountRequestsPath}/${request.id}/end`}>
              <button type="submit" class="danger">
                {isOwn ? words.withdraw : words.reject}
              </button>
            </Form>
          ) : null}
          <a class="button quiet" href={placeOf(desk, request)}>
            {words.back}
          </a>
        </div>
      </div>
    )
  }
}

function Facts({ desk, request }: { desk: Desk; request: AccountRequest }) {
  const { language, site } = desk
  const words = accountRequestWords[language]
  const { account, ibanBefore, campaignId, campaignName, askedBy, askedAt, expiresAt } = request
  return (
    <dl class="facts facts-grid">
      {campaignId === null ? null : (
        <div>
          <dt>{words.campaign}</dt>
          <dd>
            <a href={`/admin/campaigns/${campaignId}`}>{campaignName ?? campaignId}</a>
          </dd>
        </div>
      )}
      {account === null ? null : (
        <>
          <div>
            <dt>{words.before}</dt>
            <dd>{ibanBefore === null ? words.noAccount : ibanInFours(ibanBefore)}</dd>
          </div>
          <div>
            <dt>{words.after}</dt>
            <dd>
              <strong>{ibanInFours(account.iban)}</strong>
              {account.ibanValid ? null : <span class="below">{words.notValid}</span>}
            </dd>
          </div>
          <div>
            <dt>{words.holder}</dt>
            <dd>{account.name ?? words.holderStays}</dd>
          </div>
          {account.nameOfBank === null ? null : (
            <div>
              <dt>{words.bank}</dt>
              <dd>{account.nameOfBank}</dd>
            </div>
          )}
        </>
      )}
      <div>
        <dt>{words.askedBy}</dt>
        <dd>{actorOf(language, askedBy)}</dd>
      </div>
      <div>
        <dt>{words.askedAt}</dt>
        <dd>
          <time dateTime={askedAt}>{shortMoment(language, askedAt, site.timezone)}</time>
        </dd>
      </div>
      <div>
        <dt>{words.ends}</dt>
        <dd>
          <time dateTime={expiresAt}>{shortMoment(language, expiresAt, site.timezone)}</time>
        </dd>
      </div>
    </dl>
  )
}
