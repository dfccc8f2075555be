import type { AccountRequest, NewAccountRequest } from '#fundraising/account-requests/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatIban } from '../../format/format.ts'
import { ApiError } from '../../server/api-client.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'

export const accountRequestsPath = '/admin/account-requests'

export async function listAccountRequests({ api }: AdminContext): Promise<AccountRequest[]> {
  return (await api.get<AccountRequest[]>('/account-requests')).body
}

export async function requestAccountChange({ api }: AdminContext, request: NewAccountRequest): Promise<void> {
  await api.post('/account-requests', request)
}

/** True if the API refused a change because a second person has to confirm it. */
export function isSecondPersonNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second-person-needed'
}

/** Shows pending account changes on the page where the account is edited. */
export function AccountRequestNotices({ context, requests }: { context: AdminContext; requests: AccountRequest[] }) {
  const { language, site } = context
  const strings = getMessages('account-request', language)
  return (
    <>
      {requests.map(({ id, account, askedBy, askedAt, canConfirm, isOwn }) => {
        const who = formatActor(language, askedBy)
        const at = formatDateTime(language, askedAt, site.timezone)
        return (
          <p key={id} class="notice warn">
            {account === null
              ? strings.waitingToTurnOff({ who, at })
              : strings.waitingFor({ iban: formatIban(account.iban), who, at })}{' '}
            <a href={`${accountRequestsPath}/${id}`}>
              {canConfirm ? strings.decide : isOwn ? strings.toWithdraw : strings.look}
            </a>
          </p>
        )
      })}
    </>
  )
}

/** Tells users who can confirm an account change that one is pending. */
export function SecondPersonNotice({ context, requests }: { context: AdminContext; requests: AccountRequest[] }) {
  const strings = getMessages('account-request', context.language)
  const waiting = requests.filter(({ canConfirm }) => canConfirm)
  const [first] = waiting
  if (first === undefined) return null
  return (
    <p class="notice warn">
      {strings.dashboard({ count: waiting.length })}{' '}
      <a href={waiting.length === 1 ? `${accountRequestsPath}/${first.id}` : accountRequestsPath}>{strings.decide}</a>
    </p>
  )
}
