import { randomUUID } from 'node:crypto'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import { MandatePart } from '../collections/mandate-part.tsx'
import { ReceiptPart } from '../receipts/receipt-parts.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ConflictNote, listFieldDifferences } from '../shared/editor.tsx'
import { isConflict, toFormErrors } from '../shared/form.tsx'
import { getLabels, parseInput, toInput, toNamedErrors } from '../shared/forms/form-input.ts'
import { CorrectionForm, validateCorrection } from './donation-correction.tsx'
import { type DonationDetails, readDonationDetails } from './donation-details.ts'
import { AccountPart, Facts, History, Notes } from './donation-parts.tsx'
import { DonorData, ErasedNote } from './donor-data.tsx'
import { type Correction, correctionFields } from './donor-fields.ts'
import { donationsMenu, getApiPath, getDonationPath } from './links/paths.ts'
import { MessagePart } from './message-review.tsx'
import { type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { acceptDonation } from './payments.tsx'
import { PaymentsPart } from './payments-part.tsx'
import { offerUndo, type Undoable, undoChanges } from './undo.ts'

/** Input of a form on the page, with its errors. */
export interface SentForm {
  etag?: string
  correction?: Correction
  note?: string
  errors: Record<string, string>
  general?: string | undefined
  isConflict?: boolean
  /** Why a change of status or payment was refused. */
  obstacle?: Obstacle
}

export async function showDonation(given: AdminContext): Promise<AdminPage> {
  const context = offerUndo(given, () => '')
  return buildPage(context, await readDonationDetails(context))
}

/** Accepts the amount received so far as the whole donation. */
export async function handleAccept(context: AdminContext): Promise<AdminPage | Redirect> {
  return await acceptDonation(context, (shown, obstacle) => buildPage(context, shown, { errors: {}, obstacle }))
}

/** If the undo is refused, the donation page shows why, with a link to the obstacle. */
export async function handleUndo(context: AdminContext): Promise<AdminPage | Redirect> {
  return await undoChanges(context, async ({ campaignId, id }: Undoable, error) => {
    const shown = await readDonationDetails({ ...context, params: { campaign: String(campaignId), donation: id } })
    return buildPage(context, shown, { errors: {}, obstacle: toObstacle(context, error, shown.donation) })
  })
}

function buildPage(context: AdminContext, shown: DonationDetails, sent: SentForm = { errors: {} }): AdminPage {
  const { donation } = shown
  const strings = getMessages('donation', context.language).page
  const isRefused = sent.general !== undefined || Object.keys(sent.errors).length > 0
  const saved = toInput(context, correctionFields, donation)
  const { erasedAt = null } = donation
  return {
    title: strings.title({ reference: donation.reference ?? '' }),
    menu: donationsMenu,
    scripts: ['console'],
    status: sent.isConflict === true ? 412 : sent.obstacle !== undefined ? 409 : isRefused ? 422 : 200,
    body: (
      <>
        {sent.isConflict === true ? (
          <ConflictNote
            context={context}
            differences={listFieldDifferences(getLabels(correctionFields, strings), saved, sent.correction ?? saved)}
            reload={getDonationPath(shown.donation)}
          />
        ) : null}
        {sent.obstacle === undefined ? null : <ObstacleNotice obstacle={sent.obstacle} />}
        <div class="editor editor-columns money">
          <div class="editor-main">
            <Facts context={context} shown={shown} />
            <MessagePart context={context} donation={donation} />
            <PaymentsPart context={context} shown={shown} />
            {erasedAt === null ? (
              <CorrectionForm
                context={context}
                action={getDonationPath(shown.donation)}
                etag={sent.etag ?? shown.etag}
                correction={sent.correction ?? saved}
                errors={sent.errors}
                general={sent.general}
              />
            ) : (
              <ErasedNote context={context} erasedAt={erasedAt} />
            )}
          </div>
          <div class="editor-side">
            <Notes
              context={context}
              shown={shown}
              typed={sent.note ?? ''}
              idempotencyKey={randomUUID()}
              error={sent.errors.text}
            />
            <History context={context} shown={shown} />
            <ReceiptPart context={context} donation={donation} />
            {erasedAt === null ? <AccountPart context={context} shown={shown} /> : null}
            {shown.mandate === undefined ? null : <MandatePart context={context} mandate={shown.mandate} />}
            <DonorData context={context} donation={donation} />
          </div>
        </div>
      </>
    )
  }
}

export async function correctDonation(context: AdminContext): Promise<AdminPage | Redirect> {
  const correction = parseInput(context, correctionFields)
  const etag = getFormField(context, 'etag')
  const reading = validateCorrection(context, correction)
  if ('errors' in reading) {
    return buildPage(context, await readDonationDetails(context), { etag, correction, errors: reading.errors })
  }
  try {
    await context.api.patch(getApiPath(context), reading.body, etag === '' ? {} : { 'if-match': etag })
    context.flash({ text: getMessages('donation', context.language).page.saved })
    return redirect(context.path, 303)
  } catch (error) {
    const shown = await readDonationDetails(context)
    if (isConflict(error)) return buildPage(context, shown, { correction, errors: {}, isConflict: true })
    const strings = getMessages('donation', context.language).page
    const { fields, general } = toFormErrors(error)
    const errors = toNamedErrors(correctionFields, strings, fields, { email: strings.emailWrong })
    return buildPage(context, shown, { etag, correction, errors, general })
  }
}

const noteMax = 2000

export async function addNote(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('donation', context.language).page
  const text = getFormField(context, 'text').replaceAll('\r\n', '\n')
  const wrong = text === '' ? strings.noteEmpty : [...text].length > noteMax ? strings.noteLong : undefined
  const refuse = async (error: string) =>
    buildPage(context, await readDonationDetails(context), { note: text, errors: { text: error } })
  if (wrong !== undefined) return await refuse(wrong)
  const idempotencyKey = getFormField(context, 'idempotencyKey')
  try {
    const headers: Record<string, string> = /^[0-9a-f-]{36}$/.test(idempotencyKey)
      ? { 'idempotency-key': idempotencyKey }
      : {}
    await context.api.post(`${getApiPath(context)}/notes`, { text }, headers)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return await refuse(fields.text ?? general ?? '')
  }
  context.flash({ text: strings.noteAdded })
  return redirect(getPagePath(context), 303)
}

function getPagePath({ params }: AdminContext): string {
  return `${donationsMenu}/${encodeURIComponent(params.campaign ?? '')}/${encodeURIComponent(params.donation ?? '')}`
}

/** A note longer than this does not fit into the flash cookie, so its deletion offers no undo. */
const undoMax = 300

export async function removeNote(context: AdminContext): Promise<Redirect> {
  const { body } = await context.api.get<DonationWithHistory>(getApiPath(context))
  const note = body.notes?.find(({ id }) => id === context.params.note)
  await context.api.delete(`${getApiPath(context)}/notes/${encodeURIComponent(context.params.note ?? '')}`)
  const text = note?.text ?? ''
  const { campaign = '', donation = '' } = context.params
  const undo = { kind: 'restore-note', params: { campaign, donation }, fields: { text } } as const
  context.flash({
    text: getMessages('donation', context.language).page.noteRemoved,
    ...(text === '' || text.length > undoMax ? {} : { undo })
  })
  return redirect(getPagePath(context), 303)
}
