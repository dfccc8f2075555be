import { randomUUID } from 'node:crypto'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { type Redirect, redirect } from '../../page.ts'
import { moneyWords } from '../../text/money.ts'
import { field } from '../../visit.ts'
import { MandatePart } from '../collections/mandate-part.tsx'
import type { ConsolePage, Desk } from '../console.ts'
import { ConflictNote, differencesIn } from '../editor.tsx'
import { isConflict, refusedForm } from '../form.tsx'
import { ReceiptPart } from '../receipts/receipt-parts.tsx'
import { donationsMenu, getApiPath, getDonationPath } from './addresses.ts'
import { type Correction, CorrectionForm, correctionIn, correctionOf, readCorrection } from './donation-correction.tsx'
import { AccountPart, Facts, History, Notes } from './donation-parts.tsx'
import { DonorData, ErasedNote } from './donor-data.tsx'
import { MessagePart } from './message-review.tsx'
import { type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { acceptDonation } from './payments.tsx'
import { PaymentsPart } from './payments-part.tsx'
import { readShown, type Shown } from './shown.ts'
import { offerUndo, type Undoable, undoChanges } from './undo.ts'

/** What a form on the page has sent, and what is wrong with it. */
export interface Sent {
  etag?: string
  correction?: Correction
  note?: string
  errors: Record<string, string>
  general?: string | undefined
  isConflict?: boolean
  /** Why a change of status or money was refused. */
  obstacle?: Obstacle
}

export async function showDonation(visited: Desk): Promise<ConsolePage> {
  const desk = offerUndo(visited, () => '')
  return donationPage(desk, await readShown(desk))
}

/** Takes what is there of the money as the whole donation. */
export async function takeAccept(desk: Desk): Promise<ConsolePage | Redirect> {
  return await acceptDonation(desk, (shown, obstacle) => donationPage(desk, shown, { errors: {}, obstacle }))
}

/** What cannot be undone is said on the page of the donation, with the way to what is in the way. */
export async function takeUndo(desk: Desk): Promise<ConsolePage | Redirect> {
  return await undoChanges(desk, async ({ campaignId, id }: Undoable, error) => {
    const shown = await readShown({ ...desk, params: { campaign: String(campaignId), donation: id } })
    return donationPage(desk, shown, { errors: {}, obstacle: toObstacle(desk, error, shown.donation) })
  })
}

function donationPage(desk: Desk, shown: Shown, sent: Sent = { errors: {} }): ConsolePage {
  const { donation } = shown
  const words = moneyWords[desk.language].page
  const isRefused = sent.general !== undefined || Object.keys(sent.errors).length > 0
  const saved = correctionOf(donation)
  const { erasedAt = null } = donation
  return {
    title: words.title(donation.reference ?? ''),
    menu: donationsMenu,
    islands: ['console'],
    status: sent.isConflict === true ? 412 : sent.obstacle !== undefined ? 409 : isRefused ? 422 : 200,
    body: (
      <>
        {sent.isConflict === true ? (
          <ConflictNote
            desk={desk}
            differences={differencesIn(labelsOf(desk), { ...saved }, { ...(sent.correction ?? saved) })}
            reload={getDonationPath(shown.donation)}
          />
        ) : null}
        {sent.obstacle === undefined ? null : <ObstacleNotice obstacle={sent.obstacle} />}
        <div class="editor editor-columns money">
          <div class="editor-main">
            <Facts desk={desk} shown={shown} />
            <MessagePart desk={desk} donation={donation} />
            <PaymentsPart desk={desk} shown={shown} />
            {erasedAt === null ? (
              <CorrectionForm
                desk={desk}
                action={getDonationPath(shown.donation)}
                etag={sent.etag ?? shown.etag}
                correction={sent.correction ?? saved}
                errors={sent.errors}
                general={sent.general}
              />
            ) : (
              <ErasedNote desk={desk} erasedAt={erasedAt} />
            )}
          </div>
          <div class="editor-side">
            <Notes desk={desk} shown={shown} typed={sent.note ?? ''} once={randomUUID()} error={sent.errors.text} />
            <History desk={desk} shown={shown} />
            <ReceiptPart desk={desk} donation={donation} />
            {erasedAt === null ? <AccountPart desk={desk} shown={shown} /> : null}
            {shown.mandate === undefined ? null : <MandatePart desk={desk} mandate={shown.mandate} />}
            <DonorData desk={desk} donation={donation} />
          </div>
        </div>
      </>
    )
  }
}

function labelsOf(desk: Desk): Record<keyof Correction, string> {
  const { name, email, message, receipt, showName, street, postalCode, city, country } = moneyWords[desk.language].page
  return { name, email, message, receipt, showName, street, postalCode, city, country }
}

export async function correctDonation(desk: Desk): Promise<ConsolePage | Redirect> {
  const correction = correctionIn(desk)
  const etag = field(desk, 'etag')
  const reading = readCorrection(desk, correction)
  if ('errors' in reading) {
    return donationPage(desk, await readShown(desk), { etag, correction, errors: reading.errors })
  }
  try {
    await desk.api.patch(getApiPath(desk), reading.body, etag === '' ? {} : { 'if-match': etag })
    desk.say({ text: moneyWords[desk.language].page.saved })
    return redirect(desk.path, 303)
  } catch (error) {
    const shown = await readShown(desk)
    if (isConflict(error)) return donationPage(desk, shown, { correction, errors: {}, isConflict: true })
    const { fields, general } = refusedForm(error)
    return donationPage(desk, shown, { etag, correction, errors: inFields(desk, fields), general })
  }
}

/** By the fields of the form, with their labels. */
function inFields(desk: Desk, fields: Record<string, string>): Record<string, string> {
  const words = moneyWords[desk.language].page
  const named: Record<string, { name: string; label: string }> = {
    donorName: { name: 'name', label: words.name },
    email: { name: 'email', label: words.email },
    message: { name: 'message', label: words.message },
    'address/street': { name: 'street', label: words.street },
    'address/postalCode': { name: 'postalCode', label: words.postalCode },
    'address/city': { name: 'city', label: words.city },
    'address/country': { name: 'country', label: words.country }
  }
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const { name = path, label = path } = named[path] ?? {}
      const spelled = path.replaceAll('/', '.')
      if (path === 'email') return [name, words.emailWrong]
      return [name, message.startsWith(spelled) ? label + message.slice(spelled.length) : message]
    })
  )
}

const noteMax = 2000

export async function addNote(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = moneyWords[desk.language].page
  const text = field(desk, 'text').replaceAll('\r\n', '\n')
  const wrong = text === '' ? words.noteEmpty : [...text].length > noteMax ? words.noteLong : undefined
  const refuse = async (error: string) =>
    donationPage(desk, await readShown(desk), { note: text, errors: { text: error } })
  if (wrong !== undefined) return await refuse(wrong)
  const once = field(desk, 'once')
  try {
    const headers: Record<string, string> = /^[0-9a-f-]{36}$/.test(once) ? { 'idempotency-key': once } : {}
    await desk.api.post(`${getApiPath(desk)}/notes`, { text }, headers)
  } catch (error) {
    const { fields, general } = refusedForm(error)
    return await refuse(fields.text ?? general ?? '')
  }
  desk.say({ text: words.noteAdded })
  return redirect(pageOfParams(desk), 303)
}

function pageOfParams({ params }: Desk): string {
  return `${donationsMenu}/${encodeURIComponent(params.campaign ?? '')}/${encodeURIComponent(params.donation ?? '')}`
}

/** What a cookie holds of a note for taking it back. */
const undoMax = 300

export async function removeNote(desk: Desk): Promise<Redirect> {
  const { body } = await desk.api.get<DonationWithHistory>(getApiPath(desk))
  const note = body.notes?.find(({ id }) => id === desk.params.note)
  await desk.api.delete(`${getApiPath(desk)}/notes/${encodeURIComponent(desk.params.note ?? '')}`)
  const text = note?.text ?? ''
  const { campaign = '', donation = '' } = desk.params
  const undo = { kind: 'restore-note', params: { campaign, donation }, fields: { text } } as const
  desk.say({
    text: moneyWords[desk.language].page.noteRemoved,
    ...(text === '' || text.length > undoMax ? {} : { undo })
  })
  return redirect(pageOfParams(desk), 303)
}
