import type { AccountRequest, NewAccountRequest } from '#fundraising/account-requests/schema.ts'
import { Refused } from '../../api.ts'
import { ibanInFours, shortMoment } from '../../format.ts'
import { accountRequestWords } from '../../text/account-requests.ts'
import type { Desk } from '../console.ts'
import { actorOf } from '../site/activity-words.ts'

export const accountRequestsPath = '/admin/account-requests'

export async function listAccountRequests({ api }: Desk): Promise<AccountRequest[]> {
  return (await api.get<AccountRequest[]>('/account-requests')).body
}

export async function requestAccountChange({ api }: Desk, request: NewAccountRequest): Promise<void> {
  await api.post('/account-requests', request)
}

/** Did the API refuse a change because a second person has to confirm it? */
export function isSecondPersonNeeded(error: unknown): boolean {
  return error instanceof Refused && error.code === 'second-person-needed'
}

/** Says what waits for a second person, where its account is edited. */
export function AccountRequestNotices({ desk, requests }: { desk: Desk; requests: AccountRequest[] }) {
  const { language, site } = desk
  const words = accountRequestWords[language]
  return (
    <>
      {requests.map(({ id, account, askedBy, askedAt, canConfirm, isOwn }) => {
        const who = actorOf(language, askedBy)
        const at = shortMoment(language, askedAt, site.timezone)
        return (
          <p key={id} class="notice warn">
            {account === null ? words.waitingToTurnOff(who, at) : words.waitingFor(ibanInFours(account.iban), who, at)}{' '}
            <a href={`${accountRequestsPath}/${id}`}>
              {canConfirm ? words.decide : isOwn ? words.toWithdraw : words.look}
            </a>
          </p>
        )
      })}
    </>
  )
}

/** Tells those who can be the second person that they are waited for. */
export function SecondPersonNotice({ desk, requests }: { desk: Desk; requests: AccountRequest[] }) {
  const words = accountRequestWords[desk.language]
  const waiting = requests.filter(({ canConfirm }) => canConfirm)
  const [first] = waiting
  if (first === undefined) return null
  return (
    <p class="notice warn">
      {words.dashboard(waiting.length)}{' '}
      <a href={waiting.length === 1 ? `${accountRequestsPath}/${first.id}` : accountRequestsPath}>{words.decide}</a>
    </p>
  )
}
